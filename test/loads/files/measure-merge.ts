/**
 * Time and memory of merging a small delta into a large table. Run by hand:
 * `node --import jiti/register test/loads/files/measure-merge.ts [rows] [changed] [format] [mode]`
 */
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileFormat } from '../../../src/formats/file-format.ts'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { createRecordBatchEncoder } from '../../../src/formats/parquet/record-batch-encoder.ts'
import { defaultCsvDialect } from '../../../src/formats/csv.ts'
import { createParquetWriter } from '../../../src/formats/parquet/parquet-writer.ts'
import { openStagedFile } from '../../../src/storage/staged-file.ts'
import { mergeLoad } from '../../../src/loads/files/merge-load.ts'
import { type Baseline, type MergeResult } from '../../../src/loads/merge-result.ts'
import { recordColumns } from '../../../src/records/record-table.ts'
import { column } from '../../formats/every-type.ts'
import { listFiles } from './merged-folder.ts'

const [rows = '1000000', changed = '100', formatName = 'parquet', mode = 'merge', partition = ''] =
  process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'measure-'))
const columns: readonly Column[] = [
  column('id', 'text'),
  column('status', 'text'),
  ...Array.from({ length: 18 }, (_, index) => column(`text_${index}`, 'text')),
  ...Array.from({ length: 8 }, (_, index) => column(`integer_${index}`, 'integer')),
  ...Array.from({ length: 4 }, (_, index) => column(`timestamp_${index}`, 'timestamp')),
  ...Array.from({ length: 2 }, (_, index) => column(`price_${index}`, { kind: 'decimal', precision: 12, scale: 2 })),
  ...Array.from({ length: 4 }, (_, index) => column(`flag_${index}`, 'boolean')),
  ...Array.from({ length: 2 }, (_, index) => column(`list_${index}`, 'text', true)),
]
const format: FileFormat =
  formatName === 'csv'
    ? { format: 'csv', dialect: defaultCsvDialect }
    : { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }
const output: FilePlan = {
  table: 0,
  mode: mode as 'merge',
  path: join(folder, `out/products.${formatName}`),
  format,
  gzip: false,
  partitionBy: partition === '' ? [] : [partition],
  rowsPerFile: null,
  bytesPerFile: null,
  removed: 'drop',
}
const tables = [{ name: 'products', columns, idColumn: 'id', positionColumns: [] }]

function toRow(index: number, version: number): Row {
  const id = `M${String(index).padStart(9, '0')}`
  return [
    id,
    ['active', 'inactive', 'replaced'][index % 3] as string,
    ...Array.from({ length: 18 }, (_, at) => {
      if (at % 6 === 0) return `Product ${index} with a name of some length, version ${version}, in column ${at} é`
      return (index + at) % 3 === 0 ? null : `value ${(index * at) % 1000}`
    }),
    ...Array.from({ length: 8 }, (_, at) => index * (at + 1)),
    ...Array.from({ length: 4 }, (_, at) => 1_700_000_000_000 + index * 1000 + at),
    ...Array.from({ length: 2 }, (_, at) => index * 7 + at),
    ...Array.from({ length: 4 }, (_, at) => index % (at + 2) === 0),
    ...Array.from({ length: 2 }, (_, at) => (index % 2 === 0 ? [] : [`tag ${index % 50}`, `tag ${at}`])),
  ]
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}

async function writeRows(
  path: string,
  fileColumns: readonly Column[],
  indexes: Iterable<number>,
  make: (index: number) => Row,
) {
  const staged = await openStagedFile(path, { token: 'load' })
  const encode = createRecordBatchEncoder(fileColumns)
  const write = async (bytes: Uint8Array) => staged.write(bytes)
  const writer = createParquetWriter({
    columns: fileColumns,
    compression: 'zstd',
    rowGroupRows: 100_000,
    metadata: {},
    write,
  })
  let batch: Row[] = []
  for (const index of indexes) {
    batch.push(make(index))
    if (batch.length < 2048) continue
    await writer.write(encode(batch))
    batch = []
  }
  await writer.write(encode(batch))
  await writer.finish('run')
  await staged.finish()
  await rename(staged.path, path)
  return path
}

async function run(
  name: string,
  indexes: readonly number[],
  version: number,
  kind: 'full' | 'delta',
  baseline: Baseline,
) {
  const hash = (index: number) => `${String(index).padStart(24, '0')}${String(version).padStart(8, '0')}`
  const updatedAt = 1_700_000_000_000 + version * 1000
  const records = await writeRows(join(folder, `${name}-records.parquet`), recordColumns, indexes, (index) => [
    toRow(index, 0)[0] as string,
    hash(index),
    updatedAt,
    'active',
    null,
  ])
  const loaded = await writeRows(join(folder, `${name}.parquet`), columns, indexes, (index) => toRow(index, version))
  const before = performance.now()
  const cpu = process.cpuUsage()
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  const merged: MergeResult = await mergeLoad(
    { kind, startedAt: new Date(updatedAt + 1), runId: 'f'.repeat(32), records, tables: [loaded] },
    baseline,
    tables,
    [output],
    {
      token: name,
      tempFolder: join(folder, 'temp'),
      stateFolder: join(folder, '_state'),
      metadata: {},
      maxRemoved: { kind: 'share', percent: 5 },
    },
  )
  clearInterval(timer)
  const seconds = ((performance.now() - before) / 1000).toFixed(1)
  const { user, system } = process.cpuUsage(cpu)
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  console.log(
    `${name}: ${seconds} s (cpu ${((user + system) / 1e6).toFixed(1)} s), peak rss ${megabytes(peak)} MB, ` +
      `heap ${megabytes(heapUsed)} MB, array buffers ${megabytes(arrayBuffers)} MB, files ${merged.files.length}, ` +
      `bytes ${megabytes(merged.files.reduce((sum, { bytes }) => sum + bytes, 0))} MB`,
    merged.files
      .map(({ sha256 }) => sha256.slice(0, 8))
      .join(' ')
      .slice(0, 60),
    merged.changes,
  )
  for (const { staged } of listFiles(merged)) await rename(staged.path, staged.destination)
  return merged.baseline
}

try {
  const count = Number(rows)
  const step = Math.floor(count / Number(changed))
  const all = Array.from({ length: count }, (_, index) => index)
  const first = await run('full', all, 1, 'full', { records: null, current: null, history: null })
  const second = await run(
    'delta',
    all.filter((index) => index % step === 0),
    2,
    'delta',
    first,
  )
  await run(
    'full-again',
    all.filter((index) => index % 1000 !== 7),
    2,
    'full',
    second,
  )
} finally {
  await rm(folder, { recursive: true })
}
