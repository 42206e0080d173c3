import { relative } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileFormat } from '../../../src/formats/file-format.ts'
import type { FilePlan } from '../../../src/plan/outputs/file-plan.ts'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { createCsvEncoder, defaultCsvDialect, formatCsvHeader } from '../../../src/formats/csv.ts'
import { createNdjsonEncoder } from '../../../src/formats/ndjson.ts'
import type { ChangeLink } from '../../../src/loads/merge-result.ts'
import { listColumns } from '../../../src/loads/files/row-queries.ts'
import { cell, hostileText } from '../../formats/arbitrary-cells.ts'
import { column, everyColumn } from '../../formats/every-type.ts'
import { writeParquet } from '../../formats/parquet/write-parquet.ts'
import { type LoadedRecord, MergedFolder } from './merged-folder.ts'
import { MergedModel } from './merged-model.ts'
import { cases } from '../../depth.ts'

const tables: readonly KeyedTable[] = [
  {
    name: 'products',
    columns: [column('id', 'text'), column('touched', 'timestamp'), ...everyColumn],
    idColumn: 'id',
    positionColumns: [],
  },
  {
    name: 'photos',
    columns: [
      column('product_id', 'text'),
      column('position', 'integer'),
      column('url', 'text'),
      column('tags', 'text', true),
    ],
    idColumn: 'product_id',
    positionColumns: ['position'],
  },
]

const csv: FileFormat = { format: 'csv', dialect: defaultCsvDialect }
const commas: FileFormat = {
  format: 'csv',
  dialect: { ...defaultCsvDialect, delimiter: ';', decimalSeparator: ',' },
}
const ndjson: FileFormat = { format: 'ndjson' }
const parquet: FileFormat = { format: 'parquet', compression: 'zstd', rowGroupRows: 100_000 }

type Mode = FilePlan['mode']

function output(table: number, mode: Mode, format: FileFormat, more: Partial<FilePlan> = {}): FilePlan {
  const path = `${mode}/${more.removed ?? 'drop'}/${tables[table]?.name}.${format.format}`
  return {
    table,
    mode,
    path,
    format,
    gzip: false,
    partitionBy: [],
    rowsPerFile: null,
    bytesPerFile: null,
    removed: 'drop',
    ...more,
  }
}

/** Every id has up to three contents, with rows of their own in each table. */
const ids = ['a', 'B', "o'neil", 'é', '\uFFFDx', '😀', '007', '1e3']

const text = hostileText(['\0', '\u0001', '\uFEFF', '\uFEFFa'])
const content = fc.tuple(
  fc.tuple(...everyColumn.map((one) => cell(one, text))),
  fc.array(fc.tuple(cell(column('url', 'text'), text), cell(column('tags', 'text', true), text)), { maxLength: 3 }),
)
const contents = fc.array(content, { minLength: 3, maxLength: 3 })

const presence = fc.option(
  fc.record({
    content: fc.nat({ max: 2 }),
    updatedAt: fc.option(
      fc.integer({ min: -3, max: 30 }).map((n) => n * 500),
      { freq: 6 },
    ),
  }),
  { freq: 2 },
)
const load = fc.record({
  kind: fc.constantFrom('full', 'delta'),
  records: fc.tuple(...ids.map(() => presence)),
})

type Content = readonly [Row, readonly Row[]]

function toRecord(id: string, at: { content: number; updatedAt: number | null }, cellsOf: Content): LoadedRecord {
  const [cells, photos] = cellsOf
  return {
    id,
    hash: `hash ${at.content}`,
    updatedAt: at.updatedAt,
    rows: [[[id, at.updatedAt, ...cells]], photos.map((photo, index) => [id, index + 1, ...photo])],
  }
}

async function expectedBytes(one: FilePlan, rows: readonly Row[]): Promise<Buffer> {
  const columns = listColumns(tables[one.table]!, one)
  if (one.format.format === 'csv')
    return Buffer.concat([
      formatCsvHeader(columns, one.format.dialect),
      createCsvEncoder(columns, one.format.dialect)(rows),
    ])
  if (one.format.format === 'ndjson') return Buffer.from(createNdjsonEncoder(columns)(rows))
  const file = await writeParquet(columns, [rows])
  return file
}

function linkOf(run: number): ChangeLink {
  const previousRun = run === 0 ? null : `run ${run}`
  return { run: `run ${run + 1}`, previousRun, placed: ['new', 'changed', 'touched'] }
}

describe('merging loads one after the other', () => {
  const formats = [
    { name: 'Parquet', format: parquet },
    { name: 'CSV', format: csv },
    { name: 'CSV with a decimal comma', format: commas },
    { name: 'NDJSON', format: ndjson },
  ]
  test.each(formats)(
    'merging loads gives $name files of every mode, to the byte what plain maps come to',
    async ({ format }) => {
      const outputs = [0, 1].flatMap((table) => [
        output(table, 'merge', format),
        output(table, 'merge', format, { removed: 'mark' }),
        output(table, 'history', format),
        output(table, 'snapshot', format),
        output(table, 'changes', format),
      ])
      await fc.assert(
        fc.asyncProperty(
          fc.array(load, { minLength: 2, maxLength: 4 }),
          fc.tuple(...ids.map(() => contents)),
          async (loads, pool) => {
            const folder = await MergedFolder.create(tables, outputs)
            const model = new MergedModel(tables.map(({ columns }) => columns.length))
            try {
              for (const [index, { kind: asked, records }] of loads.entries()) {
                const kind = index === 0 ? 'full' : asked
                const loaded = records.flatMap((at, id) =>
                  at === null ? [] : [toRecord(ids[id]!, at, pool[id]![at.content]! as unknown as Content)],
                )
                const startedAt = (index + 1) * 4000
                model.load(loaded, kind, startedAt)
                const settings = { kind, startedAt, runId: '0123456789abcdef0123456789abcdef' } as const
                const merged = await folder.run(loaded, settings, { linkOf: () => linkOf(index) })
                expect(merged.changes).toEqual(model.changes)
                for (const [at, one] of outputs.entries()) {
                  const rows = model.rows(one.table, one.mode, one.removed)
                  expect(merged.files[at]?.rows).toBe(rows.length)
                  const path = one.mode === 'changes' ? relative(folder.path, merged.files[at]?.path ?? '') : one.path
                  expect(await folder.read(path)).toEqual(await expectedBytes(one, rows))
                }
              }
            } finally {
              await folder.remove()
            }
          },
        ),
        { numRuns: cases(3, 1), endOnFailure: true },
      )
    },
  )
})
