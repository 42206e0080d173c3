import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { toCatalogueError } from '../../errors.ts'
import { lockPathFor, takeFileLock, type FileLock } from '../../storage/lock/file-lock.ts'
import type { RunContext } from '../../run-context.ts'
import { localPathOf } from '../side-files.ts'

export interface PipelineLockOptions extends Pick<RunContext, 'signal' | 'onWarning'> {
  /** Unique to the run. */
  readonly run: string
  /** Milliseconds to wait for another run of the pipeline; true for as long as it takes. */
  readonly wait?: boolean | number | undefined
}

/**
 * Takes the lock of a pipeline, beside its manifest, so that of the runs that write the same outputs one is under way at
 * a time, in this process and in others. Throws LOCKED, with who holds it. Releasing it never throws.
 */
export async function lockPipeline(
  plan: Pick<PipelinePlan, 'name' | 'manifest'>,
  { run, wait = false, signal, onWarning }: PipelineLockOptions,
): Promise<FileLock> {
  const waitMs = typeof wait === 'number' ? wait : wait ? Number.POSITIVE_INFINITY : 0
  const lock = await takeFileLock(lockPathFor(localPathOf(plan)), {
    subject: plan.name,
    run,
    waitMs,
    signal,
    onWait: onWarning,
  })
  return {
    confirm: () => lock.confirm(),
    async release() {
      try {
        await lock.release()
      } catch (error) {
        onWarning?.(`${toCatalogueError(error).message}; the next run takes the lock over once this process has ended`)
      }
    },
  }
}
