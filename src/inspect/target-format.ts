import { CatalogueError } from '../errors.ts'
import { defaultCsvDialect } from '../formats/csv.ts'
import type { FileFormat } from '../formats/file-format.ts'
import { isObjectPath } from '../storage/s3/object-path.ts'

/** Throws USAGE for a path in a bucket. */
export function checkLocalTarget(path: string): void {
  if (isObjectPath(path))
    throw new CatalogueError('USAGE', `--to ${path}: expected a file on this machine, got a bucket`)
}

const usualEndings = '.csv, .csv.gz, .ndjson, .ndjson.gz, .parquet or .xlsx'

/** The file format for the extension of a path. Throws USAGE for other extensions, saying which ones there are. */
export function toFileFormat(
  path: string,
  endings = usualEndings,
): { readonly format: FileFormat; readonly gzip: boolean } {
  checkLocalTarget(path)
  const gzip = /\.gz$/i.test(path)
  if (/\.csv(?:\.gz)?$/i.test(path)) {
    // Values are unchecked, and spreadsheets execute text that looks like a formula.
    return { format: { format: 'csv', dialect: { ...defaultCsvDialect, escapeFormulas: true } }, gzip }
  }
  if (/\.ndjson(?:\.gz)?$/i.test(path)) return { format: { format: 'ndjson' }, gzip }
  if (/\.xlsx$/i.test(path)) return { format: { format: 'xlsx' }, gzip: false }
  if (/\.parquet$/i.test(path))
    return { format: { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }, gzip: false }
  throw new CatalogueError('USAGE', `--to ${path}: expected a file that ends in ${endings}`)
}
