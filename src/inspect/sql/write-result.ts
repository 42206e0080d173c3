import { basename } from 'node:path'
import { writeWholeFile } from '../../engine/whole-file.ts'
import { Workbook } from '../../engine/outputs/workbook/write-workbook.ts'
import { type FileFormat, openFormatWriter } from '../../formats/file-format.ts'
import { createSliceEncoder } from '../../loads/files/column-batch.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'
import { readToolVersion } from '../../package-file.ts'
import { checkTargetOfRun } from '../check-target.ts'
import { checkLocalTarget, toFileFormat } from '../target-format.ts'
import { toText, type TextForm } from './result-text.ts'
import type { SqlResult } from './sql-result.ts'

export interface WrittenResult {
  readonly path: string
  readonly rows: number
}

/** The run whose files stay, by its manifest, and how many rows are written at most. */
interface ResultTarget {
  readonly published: PublishedManifest
  readonly manifest: string
  readonly limit?: number | undefined
}

/** Throws USAGE for a path that no result can be written to. */
export function checkResultPath(path: string): void {
  toResultForm(path)
}

/**
 * Writes a result to a file, in the form of its extension. The file appears under its name when it is whole. Throws USAGE if it
 * would replace a file of the run.
 */
export async function writeResult(
  result: SqlResult,
  path: string,
  { published, manifest, limit }: ResultTarget,
): Promise<WrittenResult> {
  const form = toResultForm(path)
  await checkTargetOfRun(path, manifest, published)
  const rows =
    form.kind === 'text'
      ? await writeText(result, path, { form: form.form, limit })
      : form.format.format === 'xlsx'
        ? await writeSheet(result, path, limit)
        : await writeFile(result, path, { ...form, limit })
  return { path, rows }
}

type ResultForm =
  | { readonly kind: 'file'; readonly format: FileFormat; readonly gzip: boolean }
  | { readonly kind: 'text'; readonly form: TextForm }

const endings = '.csv, .csv.gz, .ndjson, .ndjson.gz, .json, .md, .parquet or .xlsx'

function toResultForm(path: string): ResultForm {
  const form = /\.(json|md)$/i.exec(path)?.[1]?.toLowerCase() as TextForm | undefined
  if (form === undefined) return { kind: 'file', ...toFileFormat(path, endings) }
  checkLocalTarget(path)
  return { kind: 'text', form }
}

async function* toPieces(result: SqlResult, format: FileFormat, limit: number | undefined) {
  const encode = createSliceEncoder(format, result.columns)
  for await (const batch of result.readBatches(limit))
    yield { rows: batch.length, piece: encode([{ batch, from: 0, to: batch.length }]) }
}

async function writeSheet(result: SqlResult, path: string, limit: number | undefined): Promise<number> {
  const name = basename(path).replace(/\.xlsx$/i, '')
  let rows = 0
  await Workbook.write(path, [{ name, columns: result.columns }], async (workbook) => {
    for await (const batch of result.readBatches(limit)) {
      for (const row of batch.rows) await workbook.add(0, row)
      rows += batch.length
    }
  })
  return rows
}

async function writeFile(
  result: SqlResult,
  path: string,
  { format, gzip, limit }: { format: FileFormat; gzip: boolean; limit: number | undefined },
): Promise<number> {
  return writeWholeFile(path, gzip, async (file) => {
    const options = { columns: result.columns, metadata: {}, runIdKey: 'catalogue-etl.version' }
    const writer = await openFormatWriter(file, format, options)
    let written = 0
    try {
      for await (const { rows, piece } of toPieces(result, format, limit)) {
        written += rows
        await writer.write(piece)
      }
      await writer.finish(readToolVersion().version)
    } catch (error) {
      await writer.abort()
      throw error
    }
    return written
  })
}

async function writeText(
  result: SqlResult,
  path: string,
  { form, limit }: { form: TextForm; limit: number | undefined },
): Promise<number> {
  return writeWholeFile(path, false, async (file) => {
    let written = 0
    const count = (rows: number) => void (written = rows)
    for await (const text of toText(result, form, { limit, count })) await file.write(Buffer.from(text))
    return written
  })
}
