import { createHash } from 'node:crypto'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { WrittenFile } from '../../storage/staged-file.ts'
import type { RejectsFileLine } from '../../records/reject.ts'
import { joinPath } from '../../storage/paths.ts'
import type { Segment, ShardPlan } from '../shard-plan.ts'
import type { AddedShard } from './add-shards.ts'
import { damagedFile } from './damaged-file.ts'

/**
 * The rejects of all shards in order, in batches, with line numbers within the whole file. Throws SHARDS_INCOMPLETE if
 * a rejects file isn't as its attempt left it.
 */
export async function* joinRejects(
  { shards }: Pick<ShardPlan, 'shards'>,
  added: readonly AddedShard[],
  storage: Pick<FileStorage, 'readRange'>,
): AsyncGenerator<readonly RejectsFileLine[]> {
  const before = new LinesBefore()
  for (const [at, { attempt, files, written, lines }] of added.entries()) {
    const segments = shards[at]?.segments ?? []
    const offsets = segments.map((segment, index) => before.pass(segment, lines[index] ?? 0))
    const path = joinPath(attempt.folder, files.rejects)
    for await (const texts of readLines(path, written.rejects, storage)) {
      yield texts.map((text) => moveBehind(JSON.parse(text) as RejectsFileLine, segments, offsets))
    }
  }
}

class LinesBefore {
  #lines = 0

  pass({ from }: Segment, lines: number): number {
    if (from === 0) this.#lines = 0
    const before = this.#lines
    this.#lines += lines
    return before
  }
}

function moveBehind(
  reject: RejectsFileLine,
  segments: readonly Segment[],
  offsets: readonly number[],
): RejectsFileLine {
  const { source, byteOffset } = reject
  const at = segments.findLastIndex(({ name, from }) => name === source && (byteOffset === null || from <= byteOffset))
  return { ...reject, line: reject.line + (offsets[at] ?? 0) }
}

/** Reads a file in batches of lines. Throws SHARDS_INCOMPLETE if it isn't as its attempt left it. */
async function* readLines(
  path: string,
  { bytes, sha256 }: WrittenFile,
  storage: Pick<FileStorage, 'readRange'>,
): AsyncGenerator<readonly string[]> {
  let rest = Buffer.alloc(0)
  const hash = createHash('sha256')
  for (let from = 0; from < bytes; from += stretchBytes) {
    const read = await storage.readRange(path, from, Math.min(bytes, from + stretchBytes))
    hash.update(read)
    const held = Buffer.concat([rest, read])
    const end = held.lastIndexOf(newline) + 1
    rest = held.subarray(end)
    if (end > 0) yield held.toString('utf8', 0, end - 1).split('\n')
  }
  const found = hash.digest('hex')
  if (found !== sha256) throw damagedFile(path, `sha256 ${sha256}`, found)
}

const newline = 0x0a
const stretchBytes = 4 * 1024 * 1024
