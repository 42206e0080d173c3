import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ReportPlan } from '../../plan/report-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import { toPartNamePattern } from '../../loads/files/part-paths.ts'
import { failedWith, outputOperation } from '../../storage/output-operation.ts'
import { parseStagedDestination } from '../../storage/staging-names.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { clearStale } from '../frame.ts'
import { listFixedPaths, listSideFiles, listStateFiles, stateFolder } from '../side-files.ts'

/**
 * Clears staging files of killed runs of a stateful plan, beside its outputs (for any part or partition) and in its
 * state folder.
 */
export async function clearLoadStaging(
  source: SourcePlan,
  records: RecordsPlan,
  outputs: OutputsPlan,
  report: ReportPlan,
  storage: FileStorage,
): Promise<void> {
  await clearStale(listSideFiles(source, records, outputs, report))
  const fixed = listFixedPaths(outputs, report)
  if (storage.namesPerRun) return clearStale([...fixed, ...listStateFiles(records, report)], storage)
  // The folder may hold staging files of other pipelines.
  const parts = await Promise.all(
    outputs.files.map(({ path }) => findStaged(dirname(path), toPartNamePattern(path), /=/)),
  )
  const ofState = await findStaged(stateFolder(report), /./, /./)
  await clearStale([...new Set([...fixed, ...parts.flat(), ...ofState])])
}

/** Finds destinations of staging files in a folder and its subfolders, by patterns of both names. */
async function findStaged(folder: string, destinationName: RegExp, folderName: RegExp): Promise<string[]> {
  const entries = await outputOperation(folder, 'listed', () => readEntries(folder))
  const own = entries.flatMap(({ name }) => {
    const destination = parseStagedDestination(name)
    return destination !== undefined && destinationName.test(destination) ? [join(folder, destination)] : []
  })
  const folders = entries.filter((entry) => entry.isDirectory() && folderName.test(entry.name))
  const below = await Promise.all(
    folders.map(({ name }) => findStaged(join(folder, name), destinationName, folderName)),
  )
  return [...own, ...below.flat()]
}

async function readEntries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
