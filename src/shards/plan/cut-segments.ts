import type { Segment, Shard } from '../shard-plan.ts'

/** A file of the input, reduced to what its division depends on. */
export interface InputFile extends Omit<Segment, 'from' | 'until'> {
  /** False for a file that can be read only from its beginning: compressed, or a JSON document. */
  readonly hasLines: boolean
  /** The position behind the first line break at or behind a position; the size if there is none. */
  readonly findLineStart: (position: number) => Promise<number>
}

/**
 * Divides files into shards of about `bytes` on disk, in order. A larger file of lines is cut behind line breaks,
 * smaller files are packed together, and a file that can't be cut is one segment.
 */
export async function cutSegments(files: readonly InputFile[], bytes: number): Promise<Shard[]> {
  const shards: Segment[][] = []
  let open: Segment[] = []
  let openBytes = 0
  const add = (segment: Segment): void => {
    const size = bytesOf(segment)
    if (open.length > 0 && openBytes + size > bytes) close()
    open.push(segment)
    openBytes += size
  }
  const close = (): void => {
    if (open.length > 0) shards.push(open)
    open = []
    openBytes = 0
  }
  for (const file of files) for (const segment of await cutFile(file, bytes)) add(segment)
  close()
  return shards.map((segments, number) => ({
    number,
    bytes: segments.reduce((sum, each) => sum + bytesOf(each), 0),
    segments,
  }))
}

/** About equal ranges of one file; all of it if it is small enough or can't be cut. */
async function cutFile({ hasLines, findLineStart, ...file }: InputFile, bytes: number): Promise<Segment[]> {
  const { size } = file
  if (!hasLines || size <= bytes) return [{ ...file, from: 0, until: null }]
  const count = Math.ceil(size / bytes)
  const starts = [0]
  for (let at = 1; at < count; at++) {
    const start = await findLineStart(Math.floor((size * at) / count) - 1)
    // A line may be longer than a shard.
    if (start > (starts.at(-1) ?? 0) && start < size) starts.push(start)
  }
  return starts.map((from, at) => ({ ...file, from, until: starts[at + 1] ?? null }))
}

export function isRange({ from, until }: Pick<Segment, 'from' | 'until'>): boolean {
  return from > 0 || until !== null
}

export function bytesOf({ from, until, size }: Segment): number {
  return (until ?? size) - from
}
