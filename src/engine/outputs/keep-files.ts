import { resolve } from 'node:path'
import type { FilePlan, PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { ChangeCounts } from '../../loads/merge-result.ts'
import {
  listBaselineFiles,
  type FileReport,
  type PublishedManifest,
  type PublishedState,
} from '../../loads/state/published-state.ts'
import type { FileStorage } from '../../publish/file-storage.ts'
import { isObjectPath } from '../../publish/objects/object-path.ts'
import { sortEarlierFiles } from '../../loads/state/to-next-state.ts'
import type { MergedFiles } from './merged-files.ts'
import { stateFolder } from '../side-files.ts'

/** What earlier runs published, where all of it is still there. */
export interface WholeFiles {
  readonly files: readonly FileReport[]
  readonly state: PublishedState
}

/**
 * The files that stay as they are where a load changes nothing. Null where some have to be written anyway: those that
 * hold what one run read, that are in the way of other paths, are gone or were tampered with.
 */
export async function findWholeFiles(
  { files: plans }: Pick<PipelinePlan, 'files'>,
  published: PublishedManifest | null,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<WholeFiles | null> {
  const state = published?.state ?? null
  if (published === null || state === null || state.records === null) return null
  const own = published.files.filter((file) => plans.some((plan) => isOf(file, plan)))
  const isKept = (plan: FilePlan) =>
    plan.mode === 'append' || (plan.mode !== 'snapshot' && own.some((file) => isOf(file, plan)))
  if (!plans.every(isKept)) return null
  for (const { path, bytes, mode } of own) {
    if (mode !== 'append' && (await storage.sizeOf(path)) !== bytes) return null
  }
  return { files: own, state }
}

function isOf(file: FileReport, { path, mode }: FilePlan): boolean {
  return file.mode === mode && file.base !== undefined && resolve(file.base) === resolve(path)
}

/** The outputs of a run that found nothing new: those of before. */
export function keepFiles(plan: PipelinePlan, { files, state }: WholeFiles, changes: ChangeCounts): MergedFiles {
  const { records, tables } = state
  const kept = [...files, ...listBaselineFiles(state)]
  const paths = kept.map(({ path }) => path)
  // Obsolete objects are listed once; files that could not be removed are tried again.
  const { obsoleteFiles } = sortEarlierFiles({ files: [], state }, plan.files, stateFolder(plan), paths)
  return {
    changes,
    removedRecords: [],
    files,
    staged: [],
    state: { records, tables, obsoleteFiles: isObjectPath(plan.manifest.path) ? [] : [...obsoleteFiles] },
    discard: () => Promise.resolve(),
  }
}
