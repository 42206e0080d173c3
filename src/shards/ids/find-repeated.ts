import { IdSet } from '../../engine/reading/id-set.ts'
import { mapInOrder } from '../../engine/reading/map-in-order.ts'
import { interrupted } from '../../errors.ts'
import { toEntryWords } from '../../records/id-entries.ts'
import { idLength } from '../../records/id-layout.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { ExtentReader, KeyRange, Stretch } from './extent-file.ts'
import { findIds } from './id-file.ts'

export interface FindRepeatedOptions extends RequiredContext<'signal'> {
  readonly buckets: number
  /** The line of an id that is kept, over all files in order; the others repeat it. */
  readonly counts: 'first' | 'last'
  /**
   * Words of neighbouring buckets that may be read at once. Default 16 Mi, which are 64 MiB; a larger bucket is read
   * alone.
   */
  readonly mostWords?: number
  /** Gets lines that repeat an id: places in the words of a file, see `findIds`. */
  readonly onRepeats?: (file: number, words: Uint32Array, places: readonly number[]) => Promise<void>
}

/**
 * Finds the lines that repeat an id in all files together, and resolves with their number. Reads one bucket at a time,
 * or several small neighbours at once: memory is that of a bucket, and reads are few. Throws INTERRUPTED.
 */
export async function findRepeated(files: readonly ExtentReader[], options: FindRepeatedOptions): Promise<number> {
  const { signal, buckets, counts, mostWords = usualWords, onRepeats } = options
  let repeated = 0
  for (const range of listRanges(files, buckets, mostWords)) {
    const ids = new IdSet()
    const stretches = files.flatMap((file, number) => file.listStretches(range).map((at) => ({ file, number, at })))
    // The last line of an id is the first one backwards.
    if (counts === 'last') stretches.reverse()
    for await (const { number, words } of readAhead(stretches, signal)) {
      const found = findIds(words)
      if (counts === 'last') found.reverse()
      const places: number[] = []
      for (const at of found) if (!addId(ids, words, at)) places.push(at)
      repeated += places.length
      await onRepeats?.(number, words, places)
    }
    if (signal.aborted) throw interrupted('the search for repeated ids')
  }
  return repeated
}

function addId(ids: IdSet, words: Uint32Array, at: number): boolean {
  return ids.addEntry(words, at + 1, toEntryWords(words[at + 1 + idLength] as number))
}

/** Ranges of neighbouring buckets that are small enough together, or of one. */
function listRanges(files: readonly ExtentReader[], buckets: number, mostWords: number): KeyRange[] {
  const lengths = new Float64Array(buckets)
  for (const file of files) file.addLengths(lengths)
  const ranges: KeyRange[] = []
  let [from, words] = [0, 0]
  for (const [bucket, length] of lengths.entries()) {
    if (words > 0 && words + length > mostWords) {
      ranges.push({ from, until: bucket })
      from = bucket
      words = 0
    }
    words += length
  }
  return [...ranges, { from, until: buckets }]
}

const usualWords = 16 * 1024 * 1024

interface PlacedStretch {
  readonly file: ExtentReader
  readonly number: number
  readonly at: Stretch
}

function readAhead(stretches: readonly PlacedStretch[], signal: AbortSignal) {
  async function* list(): AsyncGenerator<PlacedStretch> {
    yield* stretches
  }
  const read = async ({ file, number, at }: PlacedStretch) => ({ number, words: await file.read(at) })
  return mapInOrder(list, read, { ahead: mostAhead, signal })
}

const mostAhead = 8
