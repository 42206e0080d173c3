import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import type { LockReport } from '../../storage/lock/wait-for-lock.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { newToken } from '../frame.ts'

/** Who has the lock of a pipeline; null if nobody does. */
export async function readPipelineLock(
  plan: PipelinePlan,
  env: RequiredContext<'env'>['env'],
): Promise<LockReport | null> {
  return withStorage(plan, env, (storage, home) => storage.readLock(home))
}

/**
 * Takes the lock of a pipeline from its holder, which publishes nothing then. Resolves with the former state; null if
 * nobody had it. Throws LOCKED if the lock is a file, and the holder's process runs on this machine.
 */
export async function breakPipelineLock(
  plan: PipelinePlan,
  env: RequiredContext<'env'>['env'],
): Promise<LockReport | null> {
  const by = { subject: plan.name, run: newToken() }
  return withStorage(plan, env, (storage, home) => storage.breakLock(home, by))
}

async function withStorage<Result>(
  { report: { manifest } }: PipelinePlan,
  env: RequiredContext<'env'>['env'],
  use: (storage: FileStorage, home: string) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(manifest.path, env)
  try {
    return await use(storage, manifest.path)
  } finally {
    await storage.close()
  }
}
