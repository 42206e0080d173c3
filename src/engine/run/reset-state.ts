import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { StagedSet } from '../../storage/staged-set.ts'
import { findUnlisted } from '../../loads/state/check-unlisted.ts'
import type { RunContext } from '../../run-context.ts'
import { inFrame, ofPipeline } from '../frame.ts'
import { stateFolder } from '../side-files.ts'
import { parseManifest, readManifest, readMembers } from '../../manifest/read-manifest.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'

/**
 * What happened to the state: it was reset, there was none, the manifest beside files of earlier runs was missing, or
 * it was unreadable and put aside.
 */
export type StateReset =
  { readonly kind: 'reset' | 'none' | 'unlisted' } | { readonly kind: 'aside'; readonly path: string }

/**
 * Removes the state from the manifest, so that the next run reads everything. The outputs stay until then. Throws
 * LOCKED during a run of the pipeline, and STATE_INVALID for another pipeline's manifest.
 */
export async function resetState(
  plan: PipelinePlan,
  { signal, env }: Pick<RunContext, 'env' | 'signal'> = {},
): Promise<StateReset> {
  const frame = { ...ofPipeline(plan.name, plan.report, plan.outputs, { env }), noun: 'reset of the state', signal }
  return inFrame(frame, ({ storage, token }) => forget(plan, storage, token))
}

async function forget(plan: PipelinePlan, storage: FileStorage, token: string): Promise<StateReset> {
  const {
    name,
    outputs: { configHash },
    report: { manifest },
  } = plan
  const { path } = manifest
  const write = (members: object) =>
    writeAlone(path, Buffer.from(`${JSON.stringify({ ...members, state: null }, null, 2)}\n`), storage, token)
  const nothing = { pipeline: name, configHash, files: [] }
  try {
    const published = await readManifest(path, { own: name }, storage)
    if (!published?.state) {
      const unlisted = await findUnlisted(plan.records, plan.outputs, published, stateFolder(plan.report), storage)
      if (unlisted.length === 0) return { kind: 'none' }
      await write(published === null ? nothing : await readMembers(path, storage))
      return { kind: 'unlisted' }
    }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const found = await readStateless(path, storage)
    if (found !== null && found.pipeline !== name) throw error
    if (found === null) {
      const aside = await putAside(path, storage, token)
      await write(nothing)
      return { kind: 'aside', path: aside }
    }
  }
  await write(await readMembers(path, storage))
  return { kind: 'reset' }
}

/** Reads a manifest ignoring its state, which may be unreadable; null if it is no manifest. */
async function readStateless(path: string, storage: FileStorage): Promise<PublishedManifest | null> {
  try {
    return (await parseManifest({ ...(await readMembers(path, storage)), state: null }, path)).manifest
  } catch {
    return null
  }
}

async function putAside(path: string, storage: FileStorage, token: string): Promise<string> {
  const aside = `${path}.damaged`
  await writeAlone(aside, (await storage.read(path)) ?? new Uint8Array(), storage, token)
  return aside
}

async function writeAlone(path: string, bytes: Uint8Array, storage: FileStorage, token: string): Promise<void> {
  await StagedSet.begin({ storage, token }, async (set) => set.publish({ manifest: await set.write(path, bytes) }))
}
