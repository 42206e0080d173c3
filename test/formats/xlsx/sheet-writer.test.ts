import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSheetEncoder } from '../../../src/formats/xlsx/sheet-encoder.ts'
import { SheetWriter } from '../../../src/formats/xlsx/sheet-writer.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { createTableEncoder } from '../../../src/kernel/scan/table-encoder.ts'
import { rows as arbitraryRows } from '../arbitrary-cells.ts'
import { cases } from '../../depth.ts'
import { openTables } from '../../kernel/scan/cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from '../../kernel/scan/every-cell.ts'
import { column, everyColumn } from '../every-type.ts'

test('rows encoded for a sheet have the bytes of the reference encoder, for any cells', () => {
  const { tables, module, fill, openArena } = openTables(cellColumns, isSeconds)
  const reference = createSheetEncoder(cellColumns)
  const { encode: encodeTable } = createTableEncoder(module, tables, 0, null, createSheetEncoder(cellColumns))
  fc.assert(
    fc.property(cellRows, (rows) => {
      fill(rows)
      expect(Buffer.from(encodeTable(openArena()))).toEqual(Buffer.from(reference(rows)))
    }),
    { numRuns: cases(300) },
  )
})

test('sheets are the same however their rows are divided into pieces', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      arbitraryRows(everyColumn),
      cuts,
      fc.integer({ min: 1, max: 7 }),
      async (rows, sizes, perSheet) => {
        expect(await write(everyColumn, cut(rows, sizes), perSheet)).toEqual(await write(everyColumn, [rows], perSheet))
      },
    ),
    { numRuns: cases(200) },
  )
})

test('a table continues in another sheet exactly when one is full', async () => {
  const columns = [column('number', 'integer')]
  const rows = Array.from({ length: 7 }, (_, index): Row => [index])
  const shown = async (count: number, perSheet: number) =>
    (await write(columns, [rows.slice(0, count)], perSheet)).map((xml) =>
      [...xml.matchAll(/<v>(\d+)<\/v>/g)].map(([, value]) => Number(value)),
    )
  expect(await shown(0, 3)).toEqual([[]])
  expect(await shown(3, 3)).toEqual([[0, 1, 2]])
  expect(await shown(4, 3)).toEqual([[0, 1, 2], [3]])
  expect(await shown(7, 3)).toEqual([[0, 1, 2], [3, 4, 5], [6]])
  const [first, last] = await write(columns, [rows.slice(0, 4)], 3)
  expect(first).toContain('<autoFilter ref="A1:A4"/>')
  expect(last).toContain('<autoFilter ref="A1:A2"/>')
  expect(last).toContain('>number</t>')
})

test('columns are as wide as their names and first rows need, within bounds', async () => {
  const columns = [
    column('a', 'text'),
    column('code', 'text'),
    column('long', 'text'),
    column('at', 'timestamp'),
    column('flag', 'boolean'),
  ]
  const rows: Row[] = [
    ['x', '0497929000', 'y'.repeat(500), 0, true],
    ...Array.from({ length: 300 }, (): Row => [null, null, null, null, null]),
    ['later'.repeat(9), null, null, null, null],
  ]
  const [sheet = ''] = await write(columns, [rows], 1000)
  expect([...sheet.matchAll(/width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([6, 12, 60, 21, 8])
})

function cut(rows: readonly Row[], sizes: readonly number[]): Row[][] {
  const pieces: Row[][] = []
  for (let at = 0, piece = 0; at < rows.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1
    pieces.push(rows.slice(at, at + size))
    at += size
  }
  return pieces
}

/** The XML of each sheet. */
async function write(
  columns: readonly Column[],
  pieces: readonly (readonly Row[])[],
  rowsPerSheet: number,
): Promise<string[]> {
  const sheets: string[] = []
  const target = {
    begin: () => void sheets.push(''),
    write: async (bytes: Uint8Array) => {
      sheets[sheets.length - 1] += Buffer.from(bytes).toString()
    },
    end: () => Promise.resolve(),
  }
  const writer = new SheetWriter(columns, target, rowsPerSheet)
  const encode = createSheetEncoder(columns)
  for (const rows of pieces) await writer.write(encode(rows))
  await writer.finish()
  return sheets
}
