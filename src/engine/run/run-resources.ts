import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { toCatalogueError, type CatalogueError } from '../../errors.ts'
import type { FileLock } from '../../publish/lock/file-lock.ts'
import type { Source } from '../../sources/source.ts'
import type { EncodingPlan } from '../../encode/encoding-plan.ts'
import { openEncoder, type Encoder } from '../../encode/open-encoder.ts'
import type { Outputs } from '../outputs/outputs.ts'
import { allOrFirstFailure } from '../../publish/open-together.ts'
import { Stages } from './stages.ts'

/** Resources that a run releases when it ends. */
export class RunResources {
  outputs: Outputs | null = null
  lock: FileLock | null = null
  /** Lines that take the place of rejected ones: the rejects that they come from may be nowhere else. */
  isReplay = false
  readonly stages = new Stages()
  /** Close connections and remove copies. */
  readonly releases: (() => Promise<void>)[] = []

  async openEncoder(plan: EncodingPlan, sources: readonly Source[], workers: number): Promise<Encoder> {
    const expectedBytes = sources.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
    // A plan may be more than that, and all of it would be sent to the workers.
    const { records, files, profiledTables, rules } = plan
    const encoder = await openEncoder({ records, files, profiledTables, rules }, { workers, expectedBytes })
    this.releases.push(() => encoder.close())
    return encoder
  }

  async release(): Promise<void> {
    try {
      await allOrFirstFailure(this.releases.map((release) => release()))
    } finally {
      await this.lock?.release()
    }
  }

  /** Discards the outputs, keeps the rejects, and gives the error that says so. */
  async abandon(thrown: unknown, { rejects }: Pick<PipelinePlan, 'rejects'>): Promise<CatalogueError> {
    const error = toCatalogueError(thrown)
    // Without the lock the rejects file is another run's.
    const keepRejects = this.isReplay ? error.code === 'TOO_MANY_REJECTS' : error.code !== 'LOCKED'
    const hasRejects = (this.outputs?.firstReject ?? null) !== null && keepRejects
    const unchanged = 'Nothing was published; the earlier outputs are as they were.'
    const kept = hasRejects ? ` The rejects so far are in ${rejects.path}.` : ''
    try {
      await this.outputs?.discard({ keepRejects })
      return error.withOutputs(error.outputs ?? unchanged + kept)
    } catch (discardError) {
      const failed = `${error.outputs ?? unchanged} Staging files may be left: ${toCatalogueError(discardError).message}. The next run clears them.`
      return error.withOutputs(failed)
    }
  }
}
