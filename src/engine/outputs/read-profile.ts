import { type RunProfile, runProfileSchema } from '../../kernel/profile/run-profile.ts'
import { tryJson } from '../../manifest/try-json.ts'
import type { FileStorage } from '../../storage/file-storage.ts'

/** A profile, or why there is none. */
export type FoundProfile =
  { readonly profile: RunProfile; readonly why?: never } | { readonly profile: null; readonly why: string }

/** Reads the profile that a run left. */
export async function readProfile(
  file: { readonly path: string } | null | undefined,
  runId: string | undefined,
  storage: Pick<FileStorage, 'read'>,
): Promise<FoundProfile> {
  if (file === null || file === undefined) return missing('the run wrote none')
  const bytes = await storage.read(file.path)
  if (bytes === null) return missing(`there is no file "${file.path}"`)
  const { data } = runProfileSchema.safeParse(tryJson(bytes))
  if (data === undefined) return missing(`"${file.path}" is no profile of this version`)
  if (data.runId !== runId) return missing(`"${file.path}" is that of another run`)
  return { profile: data }
}

function missing(why: string): FoundProfile {
  return { profile: null, why }
}
