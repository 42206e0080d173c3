import { open, stat } from 'node:fs/promises'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import { beginsAsExport } from '../../plan/source/recognize-export.ts'

/**
 * Whether an argument names records, or a glob of them, and not a config. Decides by the name, or by the first bytes if
 * the name is ambiguous. Throws USAGE for a table such as a CSV file.
 */
export async function isExport(file: string): Promise<boolean> {
  if (namesConfig(file)) return false
  checkNoTable(file)
  // Configs are never in a bucket.
  if (isObjectPath(file) || /\.(?:ndjson|jsonl|gz)$/i.test(file)) return true
  if (await isThere(file)) return (await isGzip(file)) || beginsAsExport(file)
  return /[*?[{]/.test(file)
}

export function namesConfig(file: string): boolean {
  return /\.(?:ya?ml|[cm]?[jt]s)$/i.test(file)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

async function isGzip(path: string): Promise<boolean> {
  try {
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
      return buffer.readUInt16BE() === 0x1f8b
    } finally {
      await file.close()
    }
  } catch {
    // The config reader reports why the file can't be read.
    return false
  }
}

/** Throws USAGE if the name says that the file holds tables. */
export function checkNoTable(file: string): void {
  const [, ending] = /\.(csv|tsv|parquet|xlsx?|duckdb)(?:\.gz)?$/i.exec(file) ?? []
  if (ending === undefined) return
  throw new CatalogueError(
    'USAGE',
    `${file}: expected a config, or an export as NDJSON or JSON, got a .${ending} file`,
    {
      fix: 'A list of codes goes to `sourceIds` in a config. `catalogue-etl profile` counts the values of CSV and Parquet files.',
    },
  )
}
