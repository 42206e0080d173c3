import * as fs from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { defaultCsvDialect } from '../../formats/csv.ts'
import { createRowEncoder, type FileFormat, openFormatWriter } from '../../formats/file-format.ts'
import { readToolVersion } from '../../package-file.ts'
import { outputOperation } from '../../storage/output-operation.ts'
import { openStagedFile } from '../../storage/staged-file.ts'
import { clearStale, holdToken } from '../../engine/frame.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import { toRealPath } from '../../sources/find-files.ts'
import type { Difference } from './diff-report.ts'

export interface DifferenceFile {
  readonly path: string
  readonly rows: number
  /** Adds a difference. Returns a promise if the caller has to wait before adding more. */
  add(difference: Difference): Promise<void> | undefined
  finish(): Promise<void>
  discard(): Promise<void>
}

const columns: readonly Column[] = ['id', 'field', 'element', 'old', 'new'].map((name) => ({
  name,
  type: { kind: 'text' },
  list: false,
}))

/** The file format for the extension of a path. Throws USAGE for other extensions. */
export function toFileFormat(path: string): { readonly format: FileFormat; readonly gzip: boolean } {
  if (isObjectPath(path))
    throw new CatalogueError('USAGE', `--to ${path}: expected a file on this machine, got a bucket`)
  if (/\.csv(?:\.gz)?$/i.test(path)) {
    // Values are unchecked, and spreadsheets execute text that looks like a formula.
    return {
      format: { format: 'csv', dialect: { ...defaultCsvDialect, escapeFormulas: true } },
      gzip: /gz$/i.test(path),
    }
  }
  if (/\.parquet$/i.test(path))
    return { format: { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }, gzip: false }
  throw new CatalogueError('USAGE', `--to ${path}: expected a file that ends in .csv, .csv.gz or .parquet`)
}

/** Opens a file that appears under its name when finished. Throws USAGE if it would replace a compared file. */
export async function openDifferenceFile(path: string, inputs: readonly string[]): Promise<DifferenceFile> {
  const { format, gzip } = toFileFormat(path)
  await checkNotCompared(path, inputs)
  await clearStale([path])
  const { token, release } = holdToken()
  const staged = await openStagedFile(path, { token, gzip })
  const options = { columns, metadata: {}, runIdKey: 'catalogue-etl.version' }
  const writer = await openFormatWriter(staged, format, options)
  const encode = createRowEncoder(format, columns)
  let batch: Row[] = []
  let rows = 0

  async function writeBatch(): Promise<void> {
    const piece = encode(batch)
    batch = []
    await writer.write(piece)
  }

  return {
    path,
    get rows() {
      return rows
    },
    add({ id, field, element, old, new: next }) {
      rows += 1
      batch.push([id, field, element, old, next])
      return batch.length < batchRows ? undefined : writeBatch()
    },
    async finish() {
      if (batch.length > 0) await writeBatch()
      await writer.finish(readToolVersion().version)
      await staged.finish()
      await outputOperation(path, 'put in place', () => fs.rename(staged.path, path))
      release()
    },
    async discard() {
      release()
      await writer.abort()
      await staged.discard()
    },
  }
}

const batchRows = 1024

/** Throws USAGE if a path leads to one of the compared files, through links too. */
export async function checkNotCompared(path: string, inputs: readonly string[]): Promise<void> {
  const place = await toPlace(path)
  for (const input of inputs) {
    if (isObjectPath(input) || (await toPlace(input)) !== place) continue
    throw new CatalogueError('USAGE', `--to ${path}: expected another file than those that are compared`)
  }
}

/** Resolves links of the folder only, since writing replaces a link of the file itself. */
async function toPlace(path: string): Promise<string> {
  return join(await toRealPath(dirname(resolve(path))), basename(path))
}
