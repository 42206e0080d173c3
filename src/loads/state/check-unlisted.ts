import { resolve } from 'node:path'
import { addsFiles, type FilePlan } from '../../plan/outputs/file-plan.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { listFiles, listParts } from './published-parts.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'

/**
 * Throws STATE_INVALID if the manifest at `path` lacks files of earlier runs: a history would lose its versions, and
 * appended rows would be repeated. After a deliberate reset such files are replaced.
 */
export async function checkUnlisted(
  path: string,
  records: RecordsPlan,
  outputs: OutputsPlan,
  published: PublishedManifest | null,
  stateFolder: string,
  storage: Pick<FileStorage, 'list'>,
): Promise<void> {
  const found = await findUnlisted(records, outputs, published, stateFolder, storage)
  if (found.length > 0) throw unlisted(path, published, found)
}

/** Lists files of earlier runs that no manifest lists: of the state, of histories and of outputs that are added to. */
export async function findUnlisted(
  records: RecordsPlan,
  { files }: OutputsPlan,
  published: PublishedManifest | null,
  stateFolder: string,
  storage: Pick<FileStorage, 'list'>,
): Promise<string[]> {
  const isReset = published?.state === null
  // Databases keep a state of their own.
  if (isReset || files.length === 0) return []
  const found = published?.state ? [] : await listFiles(stateFolder, () => true, storage)
  const isUnknown = (plan: FilePlan) =>
    published === null || !isListed(plan, records.tables[plan.table]?.name, published)
  for (const plan of files.filter(({ mode }) => mode === 'history' || addsFiles(mode))) {
    if (isUnknown(plan)) found.push(...(await listParts(plan.path, storage)))
  }
  const { files: own = [], prunedFiles = [], state } = published ?? {}
  const listed = [...[...own, ...prunedFiles].map(({ path }) => path), ...(state?.obsoleteFiles ?? [])]
  const known = new Set(listed.map((path) => resolve(path)))
  return [...new Set(found)].filter((path) => !known.has(resolve(path)))
}

function isListed({ mode, path }: FilePlan, table: string | undefined, { files, state }: PublishedManifest): boolean {
  if (mode === 'history') return (state?.tables ?? []).some((each) => each.table === table && each.mode === mode)
  return files.some((file) => file.mode === mode && file.base !== undefined && resolve(file.base) === resolve(path))
}

function unlisted(path: string, published: PublishedManifest | null, found: readonly string[]): CatalogueError {
  const first = found.slice(0, 3).map((file) => `"${file}"`)
  const files = first.join(', ') + (found.length > 3 ? ` and ${found.length - 3} more` : '')
  const got = published === null ? 'no manifest' : 'one that does not list them'
  const message = `${path}: expected the manifest of the runs that left ${files}, got ${got}: without it, earlier versions would be lost and appended rows would come again`
  return new CatalogueError('STATE_INVALID', message, {
    fix: `${published === null ? 'Put the manifest back, from a backup for instance, or say in `manifest.path` where it is (its default place is beside the first output)' : 'Put back the manifest that lists them'}. Or move these files away, which keeps what is in them. Or start anew with \`catalogue-etl state reset CONFIG\`: the next run reads everything, its histories replace these and begin today, and its outputs in mode append or changes hold every record once more.`,
  })
}
