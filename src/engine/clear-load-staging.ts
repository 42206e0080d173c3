import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { failedWith, outputOperation } from '../sinks/output-operation.ts'
import { clearStaleStaging } from '../sinks/stale-staging.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { isObjectPath } from '../storage/object-path.ts'
import { activeTokens } from './active-tokens.ts'
import { listSideFiles, stateFolder } from './side-files.ts'

/**
 * Clears the staging files of runs of a stateful plan that were killed: beside its outputs, whatever part or partition
 * they were to become, and in the folder of its state.
 */
export async function clearLoadStaging(plan: PipelinePlan, storage: FileStorage): Promise<void> {
  await clearStaleStaging(listSideFiles(plan), activeTokens)
  if (isObjectPath(plan.manifest.path)) {
    const ofState = `${stateFolder(plan)}/records.parquet`
    return storage.clearStale(
      [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path).concat(ofState),
      activeTokens,
    )
  }
  const fixed = [...plan.files, plan.rejects, plan.manifest].map(({ path }) => path)
  const parts = await Promise.all(plan.files.map(({ path }) => findStaged(dirname(path), toPartName(path))))
  const ofState = await findStaged(stateFolder(plan), /./)
  await clearStaleStaging([...new Set([...fixed, ...parts.flat(), ...ofState])], activeTokens)
}

/** The names of the files that an output may consist of; others in its folder may be another pipeline's. */
function toPartName(path: string): RegExp {
  const name = basename(path)
  const [ending = ''] = /(?:\.[^.]*)?(?:\.gz)?$/.exec(name) ?? []
  const stem = name.slice(0, name.length - ending.length)
  return new RegExp(`^${escapePattern(stem)}(?:-[0-9a-f]{8})?(?:-\\d{5,})?${escapePattern(ending)}$`)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The destinations with such a name of all staging files in a folder and in the partitions below it. */
async function findStaged(folder: string, destinationName: RegExp): Promise<string[]> {
  const entries = await outputOperation(folder, 'listed', () => readEntries(folder))
  const own = entries.flatMap(({ name }) => {
    const [, destination] = stagingName.exec(name) ?? []
    return destination !== undefined && destinationName.test(destination) ? [join(folder, destination)] : []
  })
  const partitions = entries.filter((entry) => entry.isDirectory() && entry.name.includes('='))
  const below = await Promise.all(partitions.map(({ name }) => findStaged(join(folder, name), destinationName)))
  return [...own, ...below.flat()]
}

/** See staging-names.ts. */
const stagingName = /^\.(.+)\.\d+-[\w-]+\.(?:staging|backup|partial)$/

async function readEntries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
