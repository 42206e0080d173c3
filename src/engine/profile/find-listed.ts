import { basename, dirname, join, resolve, sep } from 'node:path'
import { z } from 'zod'
import { type FileReport, fileReport } from '../../loads/state/published-state.ts'
import { folderOf, isObjectPath } from '../../storage/s3/object-path.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { parseObject } from '../../records/json/json-values.ts'
import type { RequiredContext } from '../../run-context.ts'

/** A file as the manifest of its run lists it. */
export interface ListedFile {
  readonly manifest: string
  readonly runId: string
  readonly file: FileReport
}

const listing = z.object({ runId: z.string(), files: z.array(fileReport) })

/** Looks for the manifest that lists a file as it is, in its folder and those above that partitions may add. */
export async function findListed(path: string, { env }: RequiredContext<'env'>): Promise<ListedFile | null> {
  const storage = await openStorage(path, env)
  try {
    const bytes = await storage.sizeOf(path)
    for (const folder of listFolders(path)) {
      const manifest = isObjectPath(path) ? `${folder}/_manifest.json` : join(folder, '_manifest.json')
      const text = await storage.read(manifest)
      const { data } = listing.safeParse(text === null ? null : parseObject(Buffer.from(text).toString()))
      const file = data?.files.find((each) => each.bytes === bytes && isSame(each.path, path, folder))
      if (data !== undefined && file !== undefined) return { manifest, runId: data.runId, file }
    }
    return null
  } finally {
    await storage.close()
  }
}

function listFolders(path: string): string[] {
  const above = isObjectPath(path) ? folderOf : dirname
  const folders = [isObjectPath(path) ? above(path) : dirname(resolve(path))]
  for (let depth = 0; depth < mostPartitions; depth++) folders.push(above(folders.at(-1) ?? ''))
  return [...new Set(folders)].filter((folder) => isObjectPath(path) === isObjectPath(folder))
}

const mostPartitions = 3

/** True for the same place below the folder of the manifest, from wherever the run was started, and if the folder was moved. */
function isSame(listed: string, path: string, folder: string): boolean {
  const whole = isObjectPath(path) ? path : resolve(path)
  const below = whole.slice(folder.length).replaceAll(sep, '/')
  return `/${listed.replaceAll(sep, '/')}`.endsWith(below) && basename(listed) === basename(path)
}
