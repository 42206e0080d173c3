import type { EncodeGroup } from '../../kernel/encode/encode-block.ts'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import { openFiles } from '../../engine/outputs/open-files.ts'
import type { OutputFile } from '../../engine/outputs/output-file.ts'
import type { ProcessedBlock } from '../../engine/reading/read-lines.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { allOrFirstFailure } from '../../storage/open-together.ts'
import type { PublishableFile, StagedFile, WrittenFile } from '../../storage/staged-file.ts'
import { StagedSet, type StagingPlace } from '../../storage/staged-set.ts'
import { formatReject, toRejectsFileLine } from '../../records/reject.ts'
import { joinPath } from '../../storage/paths.ts'
import { resultName, type ShardStage, toShardPath } from '../attempt-paths.ts'
import { IdFileWriter } from '../ids/id-file.ts'
import { listUniqueFiles } from '../ids/unique-files.ts'
import type { AttemptPaths, ShardFacts, ShardResult } from '../shard-result.ts'
import type { ShardPlan } from '../shard-plan.ts'

export interface ShardOutputsOptions {
  readonly plan: ShardPlan
  readonly stage: ShardStage
  readonly shard: number
  readonly folder: string
  readonly token: string
  readonly storage: FileStorage
  readonly encodeGroup: EncodeGroup
}

export interface FinishedShard {
  readonly facts: Pick<ShardFacts, 'files' | 'rejects' | 'ids' | 'unique'>
  readonly paths: AttemptPaths
}

/**
 * All files of an attempt: its parts, its rejects and its ids. They are published together with the result, or
 * discarded.
 */
export class ShardOutputs {
  readonly #options: ShardOutputsOptions
  readonly #files: readonly OutputFile[]
  readonly #rejects: StagedFile
  readonly #ids: StagedFile
  readonly #idWriter: IdFileWriter
  readonly #unique: readonly StagedFile[]
  readonly #uniqueWriters: readonly IdFileWriter[]
  readonly #set: StagedSet

  private constructor(
    options: ShardOutputsOptions,
    set: StagedSet,
    files: readonly OutputFile[],
    rejects: StagedFile,
    ids: StagedFile,
    unique: readonly StagedFile[],
  ) {
    this.#options = options
    this.#set = set
    this.#files = files
    this.#rejects = rejects
    this.#ids = ids
    this.#unique = unique
    const toWriter = (file: StagedFile): IdFileWriter =>
      new IdFileWriter(options.plan.idBuckets, async (bytes) => file.write(bytes))
    this.#idWriter = toWriter(ids)
    this.#uniqueWriters = unique.map(toWriter)
  }

  static async open(options: ShardOutputsOptions): Promise<ShardOutputs> {
    const { plan, stage, shard, folder, token, storage, encodeGroup } = options
    return StagedSet.begin({ storage, token }, async (set) => {
      const rejects = await set.open(joinPath(folder, 'rejects.ndjson'))
      const ids = await set.open(joinPath(folder, 'ids.bin'))
      const unique: StagedFile[] = []
      for (const name of stage === 'ids' ? [] : listUniqueFiles(plan))
        unique.push(await set.open(joinPath(folder, name)))
      const parts = stage === 'ids' ? [] : placeParts(plan.pipeline.outputs, options)
      const pipeline = { ...plan.pipeline, outputs: { ...plan.pipeline.outputs, files: parts } }
      const metadata = { 'catalogue-etl.shard': String(shard) }
      const origin = { metadata, runIdKey: 'catalogue-etl.plan_id' }
      const files = await openFiles(pipeline, { token, encodeGroup, ...origin }, set)
      return new ShardOutputs(options, set, files, rejects, ids, unique)
    })
  }

  async write(block: ProcessedBlock<EncodedBlock>): Promise<void> {
    const { outcome, blockNumber, locate } = block
    // Both stages find the same rejects, but for repeated ids.
    const rejects = this.#options.stage === 'ids' ? [] : outcome.rejects
    const lines = rejects.map((reject) => formatReject(toRejectsFileLine(reject, locate(reject))))
    if (lines.length > 0) await this.#rejects.write(Buffer.from(lines.join('')))
    await this.#idWriter.add(blockNumber, outcome.ids)
    const columns = outcome.unique.flatMap(({ values, key }) => [values, ...key])
    for (const [at, writer] of this.#uniqueWriters.entries())
      await writer.add(blockNumber, columns[at] ?? new Uint32Array())
    const waits = outcome.pieces.flatMap((piece, at) => this.#files[at]?.write(piece) ?? [])
    if (waits.length > 0) await allOrFirstFailure(waits)
  }

  /** Completes all files, still under staging names. */
  async finish(): Promise<FinishedShard> {
    const { plan } = this.#options
    for (const writer of [this.#idWriter, ...this.#uniqueWriters]) await writer.finish()
    const parts = await allOrFirstFailure(this.#files.map((file) => file.finish(plan.planId)))
    const [rejects, ids] = [await this.#rejects.finish(), await this.#ids.finish()]
    const unique: WrittenFile[] = []
    for (const file of this.#unique) unique.push(await file.finish())
    return {
      facts: {
        files: parts.map(({ bytes, sha256 }) => ({ bytes, sha256 })),
        rejects,
        ids,
        unique: unique.map(({ bytes, sha256 }) => ({ bytes, sha256 })),
      },
      paths: {
        parts: this.#files.map((file) => this.#toRelative(file.staged)),
        rejects: this.#toRelative(this.#rejects),
        ids: this.#toRelative(this.#ids),
        unique: this.#unique.map((file) => this.#toRelative(file)),
      },
    }
  }

  async publish(result: ShardResult): Promise<void> {
    await publishResult(result, this.#options.folder, this.#set)
  }

  static publishFailure(
    result: ShardResult,
    { home, ...place }: { readonly home: string } & StagingPlace,
  ): Promise<void> {
    return StagedSet.begin(place, (set) => publishResult(result, home, set))
  }

  discard(): Promise<void> {
    return this.#set.discard()
  }

  /** Parts in a bucket keep the path where they will be read; other paths are relative to the folder of the attempt. */
  #toRelative({ destination }: Pick<PublishableFile, 'destination'>): string {
    const { folder } = this.#options
    return destination.startsWith(folder) ? destination.slice(folder.length + 1).replaceAll('\\', '/') : destination
  }
}

async function publishResult(result: ShardResult, folder: string, set: StagedSet): Promise<void> {
  await set.publish({ manifest: await set.write(joinPath(folder, resultName), `${JSON.stringify(result)}\n`) })
}

/** The files of the plan at the paths of an attempt's parts: in its folder, or in a bucket at their final place. */
function placeParts(
  { files }: OutputsPlan,
  { shard, folder, storage }: Pick<ShardOutputsOptions, 'shard' | 'folder' | 'storage'>,
): OutputsPlan['files'] {
  return files.map((file, at) => {
    const path = toShardPath(file.path, shard)
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { ...file, path: storage.namesPerRun ? path : joinPath(folder, 'files', String(at), name) }
  })
}
