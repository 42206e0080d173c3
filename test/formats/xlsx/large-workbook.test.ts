import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mostSheetRows } from '../../../src/formats/xlsx/sheet-writer.ts'
import type { Row } from '../../../src/records/flatten/column.ts'
import { isDeep } from '../../depth.ts'
import { column } from '../every-type.ts'
import { readZip } from './read-zip.ts'
import { writeWorkbook } from './write-workbook.ts'

const rowsPerSheet = isDeep ? mostSheetRows : 20_000
const pieceRows = 2048

test(
  'a table with more rows than a sheet continues in the next one, in memory that stays flat',
  { timeout: 300_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'workbook-'))
    try {
      let peak = 0
      const path = join(folder, 'desk.xlsx')
      const pieces = listPieces(rowsPerSheet + 10, () => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers)
      })
      const before = process.memoryUsage().arrayBuffers
      const columns = [column('number', 'integer'), column('text', 'text'), column('at', 'timestamp')]
      const [report] = await writeWorkbook(path, [{ name: 'products', columns, pieces }], rowsPerSheet)
      expect(report?.sheets).toEqual([
        { name: 'products', rows: rowsPerSheet },
        { name: 'products (2)', rows: 10 },
      ])
      // A sheet of full size has 190 MB of XML.
      expect(peak - before).toBeLessThan(48 * 1024 * 1024)
      const parts = readZip(await readFile(path))
      const [first = '', second = ''] = [1, 2].map((number) => parts.get(`xl/worksheets/sheet${number}.xml`))
      expect(first).toContain(`<autoFilter ref="A1:C${rowsPerSheet + 1}"/>`)
      expect(first).toContain(`<v>${rowsPerSheet - 1}</v>`)
      expect(first).not.toContain(`<v>${rowsPerSheet}</v>`)
      expect(second).toContain(`<v>${rowsPerSheet}</v>`)
      expect(first.split('<row>').length - 1).toBe(rowsPerSheet + 1)
      expect(second.split('<row>').length - 1).toBe(11)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

function* listPieces(rows: number, onPiece: () => void): Generator<Row[]> {
  for (let at = 0; at < rows; at += pieceRows) {
    onPiece()
    yield Array.from({ length: Math.min(pieceRows, rows - at) }, (_, index) => [
      at + index,
      `product ${at + index}`,
      1.7e12,
    ])
  }
}
