import { open, stat } from 'node:fs/promises'
import { CatalogueError } from '../errors.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'
import { beginsAsExport } from '../plan/source/recognize-export.ts'

/**
 * True for a file of records, or a pattern of such files, in the place of a config: by its name, or where that says nothing by its
 * beginning. Throws USAGE for a table, which is neither.
 */
export async function isExport(file: string): Promise<boolean> {
  if (namesConfig(file)) return false
  checkNoTable(file)
  // No config is in a bucket.
  if (isObjectPath(file) || /\.(?:ndjson|jsonl|gz)$/i.test(file)) return true
  if (await isThere(file)) return (await isGzip(file)) || beginsAsExport(file)
  return /[*?[{]/.test(file)
}

/** True for a name that only a config has. */
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
    // The reader of configs says why it can't be read.
    return false
  }
}

/** Throws USAGE for a file whose name says that it holds a table, or several. */
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
