import { type RunProfile, runProfileSchema } from '../../kernel/profile/run-profile.ts'
import { tryJson } from '../../manifest/try-json.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'

/** The profile that a run left; null if there is none, or that of another run. */
export async function readProfile(
  { profile }: Pick<ReportPlan, 'profile'>,
  runId: string | undefined,
  storage: Pick<FileStorage, 'read'>,
): Promise<RunProfile | null> {
  const bytes = profile === null ? null : await storage.read(profile.path)
  const { data } = runProfileSchema.safeParse(bytes && tryJson(bytes))
  return data !== undefined && data.runId === runId ? data : null
}
