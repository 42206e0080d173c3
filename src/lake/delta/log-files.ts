import { joinPath } from '../../storage/paths.ts'
import { nameOf } from '../../storage/s3/object-path.ts'
import type { FileStorage } from '../../storage/file-storage.ts'

export function logFolder(table: string): string {
  return joinPath(table, '_delta_log')
}

export function formatVersion(version: number): string {
  return String(version).padStart(20, '0')
}

export function commitPath(table: string, version: number): string {
  return joinPath(logFolder(table), `${formatVersion(version)}.json`)
}

export interface LogFiles {
  /** The versions of the commits, in order. */
  readonly commits: readonly number[]
  /** Whole checkpoints, in the order of their versions. */
  readonly checkpoints: readonly { readonly version: number; readonly paths: readonly string[] }[]
}

export async function listLogFiles(storage: Pick<FileStorage, 'list'>, table: string): Promise<LogFiles> {
  const folder = logFolder(table)
  const commits: number[] = []
  const parts = new Map<string, { version: number; count: number; paths: string[] }>()
  for await (const { path } of storage.list(folder, () => false)) {
    const unixPath = path.replaceAll('\\', '/')
    // A bucket lists what is in the folders below, too.
    if (!unixPath.endsWith(`/_delta_log/${nameOf(unixPath)}`)) continue
    const found = /^(?<digits>\d{20})\.(?:json|checkpoint(?:\.\d{10}\.(?<count>\d{10}))?\.parquet)$/.exec(
      nameOf(unixPath),
    )
    if (found === null) continue
    const { digits = '', count = '1' } = found.groups ?? {}
    if (unixPath.endsWith('.json')) {
      commits.push(Number(digits))
      continue
    }
    const key = `${digits} ${count}`
    const checkpoint = parts.get(key) ?? { version: Number(digits), count: Number(count), paths: [] }
    checkpoint.paths.push(path)
    parts.set(key, checkpoint)
  }
  const whole = [...parts.values()].filter(({ count, paths }) => paths.length === count)
  return {
    commits: commits.toSorted((one, other) => one - other),
    checkpoints: whole.toSorted((one, other) => one.version - other.version),
  }
}
