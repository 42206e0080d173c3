import { randomBytes } from 'node:crypto'
import { openStorage } from '../../publish/open-storage.ts'
import { toFinishedFile } from '../../publish/publication.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { idLength, idLine, idText } from '../../records/id-layout.ts'
import type { RunContext } from '../../run-context.ts'
import { joinPath, planPathOf } from '../attempt-paths.ts'
import { chooseAttempts, readFacts } from '../commit/choose-attempts.ts'
import { readShardPlan, type ShardPlan } from '../shard-plan.ts'
import { ExtentReader, ExtentWriter, type WordBuffer } from './extent-file.ts'
import { listBlockIds } from './id-file.ts'
import { excludedPathOf, readResolution, type Resolution, resolutionPathOf } from './resolution.ts'

export type ResolveIdsOptions = Pick<RunContext, 'env'>

/**
 * Finds which lines `duplicates: last | reject` leaves out, from the ids of all shards: one bucket at a time, so that memory is
 * that of one. What was found before stays. Null for `keep`, which leaves none out. Throws SHARDS_INCOMPLETE and SHARDS_DIFFER.
 */
export async function resolveIds(
  folder: string,
  { env = process.env }: ResolveIdsOptions = {},
): Promise<Resolution | null> {
  const storage = await openStorage(planPathOf(folder), env)
  try {
    const plan = await readShardPlan(folder, storage)
    if (plan.pipeline.duplicates === 'keep') return null
    await storage.recover(resolutionPathOf(folder))
    return (await readResolution(folder, plan.planId, storage)) ?? (await resolve(folder, plan, storage))
  } finally {
    await storage.close()
  }
}

async function resolve(folder: string, plan: ShardPlan, storage: FileStorage): Promise<Resolution> {
  const attempts = await chooseAttempts(folder, plan, 'ids', storage)
  const readers: ExtentReader[] = []
  const inputDigests: string[] = []
  for (const attempt of attempts) {
    const { facts, files } = await readFacts(attempt, storage)
    readers.push(await ExtentReader.open(joinPath(attempt.folder, files.ids), facts.ids.bytes, storage))
    inputDigests.push(facts.inputDigest)
  }
  const token = randomBytes(6).toString('hex')
  const staged = await storage.openFile(excludedPathOf(folder), { token })
  const writer = new ExtentWriter(async (bytes) => staged.write(bytes))
  const leaveOut = plan.pipeline.duplicates === 'last' ? leaveOutAllButLast : leaveOutAllButFirst
  let repeatedIds = 0
  for (let bucket = 0; bucket < plan.idBuckets; bucket++) repeatedIds += await leaveOut(readers, bucket, writer)
  await writer.finish()
  const { bytes, sha256 } = await staged.finish()
  const resolution: Resolution = { format: 1, planId: plan.planId, repeatedIds, inputDigests, bytes }
  const home = resolutionPathOf(folder)
  const result = await storage.openFile(home, { token })
  await result.write(Buffer.from(`${JSON.stringify(resolution)}\n`))
  const written = await result.finish()
  const manifest = toFinishedFile(result, written.sha256)
  await storage.publish({ files: [toFinishedFile(staged, sha256)], manifest, home, removals: [] })
  return resolution
}

/** The first valid line of an id stays; each other one is noted with its id. */
async function leaveOutAllButFirst(
  readers: readonly ExtentReader[],
  bucket: number,
  writer: ExtentWriter,
): Promise<number> {
  const seen = new Set<string>()
  let repeated = 0
  for (const [shard, reader] of readers.entries()) {
    for await (const extent of reader.read(bucket)) {
      for (const { block, at, words } of listBlockIds(extent)) {
        const known = seen.size
        if (seen.add(toKey(extent, at)).size > known) continue
        repeated++
        const lines = writer.at(shard)
        pushLine(lines, block, extent[at + idLine] as number, extent[at + idLength])
        lines.pushAll(extent.subarray(at + idText, at + words))
      }
      await writer.flushIfFull()
    }
  }
  return repeated
}

/** The last valid line of an id stays. */
async function leaveOutAllButLast(
  readers: readonly ExtentReader[],
  bucket: number,
  writer: ExtentWriter,
): Promise<number> {
  const numbers = new Map<string, number>()
  // Shard, block and line of the last occurrence of each id.
  const last = new GrowingTriples()
  let repeated = 0
  for (const [shard, reader] of readers.entries()) {
    for await (const extent of reader.read(bucket)) {
      for (const { block, at } of listBlockIds(extent)) {
        const key = toKey(extent, at)
        const number = numbers.get(key) ?? numbers.size
        if (number < numbers.size) {
          repeated++
          const [olderShard, olderBlock, olderLine] = last.at(number)
          pushLine(writer.at(olderShard), olderBlock, olderLine)
        } else numbers.set(key, number)
        last.set(number, [shard, block, extent[at + idLine] as number])
      }
      await writer.flushIfFull()
    }
  }
  return repeated
}

function pushLine(lines: WordBuffer, block: number, line: number, idBytes = 0): void {
  lines.push(block)
  lines.push(line)
  lines.push(idBytes)
}

/** Different for different ids. */
function toKey(extent: Uint32Array, at: number): string {
  const bytes = Buffer.from(extent.buffer, extent.byteOffset + 4 * (at + idText), extent[at + idLength])
  return bytes.toString('latin1')
}

/** Rows of three words. */
class GrowingTriples {
  #words = new Uint32Array(3 * 1024)

  at(row: number): readonly [number, number, number] {
    const start = 3 * row
    return [this.#words[start] as number, this.#words[start + 1] as number, this.#words[start + 2] as number]
  }

  set(row: number, values: readonly [number, number, number]): void {
    const start = 3 * row
    if (start + 3 > this.#words.length) {
      const grown = new Uint32Array(2 * this.#words.length)
      grown.set(this.#words)
      this.#words = grown
    }
    this.#words.set(values, start)
  }
}
