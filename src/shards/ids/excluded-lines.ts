import { toIdText } from '../../records/id-entries.ts'
import type { RepeatedLines } from '../../records/block-outcome.ts'
import { type ExcludedLines, repeatedId } from '../../engine/reading/find-duplicates.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { planInvalid, type ShardPlan } from '../shard-plan.ts'
import { ExtentReader, type WordBuffer } from './extent-file.ts'
import { linesPathOf, readResolution } from './resolution.ts'

export interface ExcludedOfShard extends ExcludedLines {
  /** SHA-256 of the lines of all shards that are left out. */
  readonly resolution: string
}

/**
 * The lines of a shard that `duplicates: last | reject` leaves out, as `resolveIds` found them; null for `keep`. Throws
 * PLAN_INVALID before `resolveIds`.
 */
export async function readExcluded(
  folder: string,
  { pipeline, planId }: ShardPlan,
  shard: number,
  storage: FileStorage,
): Promise<ExcludedOfShard | null> {
  if (pipeline.records.duplicates === 'keep') return null
  const resolution = await readResolution(folder, planId, storage)
  if (resolution === null) {
    const message = `${folder}: expected repeated ids to be resolved first, as the pipeline has duplicates: ${pipeline.records.duplicates}, got none`
    throw planInvalid(message, { fix: stagesFix(folder) })
  }
  const { lines, token, ids } = resolution
  const reader = await ExtentReader.open(linesPathOf(folder, token), lines.bytes, storage)
  const excluded = await LinesOfShard.read(reader, shard)
  const inputDigest = ids[shard]?.inputDigest ?? ''
  return { linesOf: (block) => excluded.linesOf(block), inputDigest, resolution: lines.sha256 }
}

function stagesFix(folder: string): string {
  return `Run \`catalogue-etl shards run ${folder} --shard N --stage ids\` for every shard, then \`catalogue-etl shards resolve ${folder}\`.`
}

/** Positions in the order of lines, in a compact form: a shard may repeat nearly all of its ids. */
class LinesOfShard {
  readonly #positions: Float64Array
  /** Ids of lines that are rejected as repeated, by position. */
  readonly #ids: ReadonlyMap<number, string>

  private constructor(positions: Float64Array, ids: ReadonlyMap<number, string>) {
    this.#positions = positions
    this.#ids = ids
  }

  static async read(reader: ExtentReader, shard: number): Promise<LinesOfShard> {
    const parts: Float64Array[] = []
    const ids = new Map<number, string>()
    for (const stretch of reader.listStretches({ from: shard, until: shard + 1 }))
      parts.push(readPositions(await reader.read(stretch), ids))
    const positions = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
    let end = 0
    for (const part of parts) {
      positions.set(part, end)
      end += part.length
    }
    return new LinesOfShard(positions.sort(), ids)
  }

  linesOf(block: number): RepeatedLines | undefined {
    const from = findFirst(this.#positions, toPosition(block, 0))
    const until = findFirst(this.#positions, toPosition(block + 1, 0))
    if (from === until) return undefined
    const lines = [...this.#positions.subarray(from, until)].map((position) => {
      const id = this.#ids.get(position)
      return [position - toPosition(block, 0), id === undefined ? ('drop' as const) : repeatedId(id)] as const
    })
    return new Map(lines)
  }
}

function readPositions(words: Uint32Array, ids: Map<number, string>): Float64Array {
  const positions = new Float64Array(Math.floor(words.length / noteWords))
  let count = 0
  for (let at = 0; at < words.length;) {
    const position = toPosition(words[at] as number, words[at + 1] as number)
    const idBytes = (words[at + 2] as number) - 1
    positions[count++] = position
    at += noteWords
    if (idBytes < 0) continue
    ids.set(position, toIdText(Buffer.from(words.buffer, words.byteOffset + 4 * at, idBytes)))
    at += Math.ceil(idBytes / 4)
  }
  return positions.slice(0, count)
}

/**
 * Notes a line: its block, its number in the block, and its id if it is rejected. `id` is null for a line that is
 * dropped.
 */
export function noteLine(lines: WordBuffer, block: number, line: number, id: IdPlace | null): void {
  lines.push(block)
  lines.push(line)
  lines.push(id === null ? 0 : id.bytes + 1)
  if (id !== null) lines.pushAll(id.words)
}

interface IdPlace {
  readonly words: Uint32Array
  readonly bytes: number
}

/** Block, line, and one more than the bytes of the id, or 0 without an id. */
const noteWords = 3

function toPosition(block: number, line: number): number {
  return block * 2 ** 32 + line
}

function findFirst(positions: Float64Array, wanted: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
