import { CatalogueError } from '../../errors.ts'

/** OUTPUT_FAILED, for what is wrong with the bytes of a Parquet file or with what was to go into it. */
export function parquetFailure(what: string, cause?: unknown): CatalogueError {
  return new CatalogueError('OUTPUT_FAILED', `parquet: ${what}`, { cause })
}
