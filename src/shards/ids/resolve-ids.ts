import { isDeepStrictEqual } from 'node:util'
import { newToken } from '../../engine/frame.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { toEntryWords } from '../../records/id-entries.ts'
import { idLength, idLine, idText } from '../../records/id-layout.ts'
import type { RunContext } from '../../run-context.ts'
import { joinPath } from '../../storage/paths.ts'
import { chooseAttempts, readFacts } from '../commit/choose-attempts.ts'
import { openShardPlan, type ShardPlan } from '../shard-plan.ts'
import { noteLine } from './excluded-lines.ts'
import { ExtentReader, ExtentWriter } from './extent-file.ts'
import { findRepeated } from './find-repeated.ts'
import { linesPathOf, readResolution, type Resolution, resolutionPathOf } from './resolution.ts'

export type ResolveIdsOptions = Pick<RunContext, 'env' | 'signal'>

/**
 * Finds the lines that `duplicates: last | reject` leaves out, from the ids of all shards. Memory is that of one
 * bucket. A former resolution is kept as long as the ids are the same, so it may be repeated at any time. Null for
 * `keep`, which leaves out none. Throws SHARDS_INCOMPLETE, SHARDS_DIFFER and INTERRUPTED.
 */
export async function resolveIds(
  folder: string,
  { env = process.env, signal = new AbortController().signal }: ResolveIdsOptions = {},
): Promise<Resolution | null> {
  const { plan, storage } = await openShardPlan(folder, env)
  try {
    if (plan.pipeline.records.duplicates === 'keep') return null
    const shards = await openShards(folder, plan, storage)
    const former = await readResolution(folder, plan.planId, storage)
    const ids = shards.map(({ digest, inputDigest }) => ({ digest, inputDigest }))
    if (former !== null && isDeepStrictEqual(former.ids, ids)) return former
    const token = newToken()
    return await new Resolving({ folder, plan, token, storage }, signal).resolve(shards)
  } finally {
    await storage.close()
  }
}

interface ShardIds {
  readonly digest: string
  readonly inputDigest: string
  readonly reader: ExtentReader
}

async function openShards(folder: string, plan: ShardPlan, storage: FileStorage): Promise<ShardIds[]> {
  const shards: ShardIds[] = []
  for (const attempt of await chooseAttempts(folder, plan, 'ids', storage)) {
    const { facts, files } = await readFacts(attempt, storage)
    const reader = await ExtentReader.open(joinPath(attempt.folder, files.ids), facts.ids.bytes, storage)
    shards.push({ digest: attempt.digest, inputDigest: facts.inputDigest, reader })
  }
  return shards
}

interface ResolvingPlace {
  readonly folder: string
  readonly plan: ShardPlan
  readonly token: string
  readonly storage: FileStorage
}

class Resolving {
  readonly #place: ResolvingPlace
  readonly #signal: AbortSignal

  constructor(place: ResolvingPlace, signal: AbortSignal) {
    this.#place = place
    this.#signal = signal
  }

  async resolve(shards: readonly ShardIds[]): Promise<Resolution> {
    const { folder, plan, token, storage } = this.#place
    return StagedSet.begin({ storage, token }, async (set) => {
      const lines = await set.open(linesPathOf(folder, token))
      const writer = new ExtentWriter(async (bytes) => lines.write(bytes))
      const repeatedIds = await this.#findLines(shards, writer)
      await writer.finish()
      const { bytes, sha256 } = await lines.finish()
      const ids = shards.map(({ digest, inputDigest }) => ({ digest, inputDigest }))
      const resolvedAt = new Date().toISOString()
      const found = { format: 1, planId: plan.planId, token, resolvedAt, repeatedIds, ids } as const
      const resolution: Resolution = { ...found, lines: { bytes, sha256 } }
      await set.publish({
        manifest: await set.write(resolutionPathOf(folder, token), `${JSON.stringify(resolution)}\n`),
      })
      return resolution
    })
  }

  #findLines(shards: readonly ShardIds[], writer: ExtentWriter): Promise<number> {
    const { idBuckets: buckets, pipeline } = this.#place.plan
    const counts = pipeline.records.duplicates === 'last' ? 'last' : 'first'
    const onRepeats = async (shard: number, words: Uint32Array, places: readonly number[]): Promise<void> => {
      for (const at of places) {
        const id = counts === 'last' ? null : toIdPlace(words, at)
        noteLine(writer.at(shard), words[at] as number, words[at + 1 + idLine] as number, id)
      }
      await writer.flushIfFull()
    }
    const readers = shards.map(({ reader }) => reader)
    return findRepeated(readers, { buckets, counts, onRepeats, signal: this.#signal })
  }
}

function toIdPlace(words: Uint32Array, at: number) {
  const bytes = words[at + 1 + idLength] as number
  return { words: words.subarray(at + 1 + idText, at + 1 + toEntryWords(bytes)), bytes }
}
