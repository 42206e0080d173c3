import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Row } from '../../../src/records/flatten/column.ts'
import { readRows } from '../../../src/kernel/scan/cells.ts'
import { everyRow } from '../../formats/every-type.ts'
import { cases } from '../../depth.ts'
import { openTables } from './cell-tables.ts'
import { cellColumns, cellRows, isSeconds } from './every-cell.ts'

it('rows written into cells are read back unchanged', () => {
  const { tables, fill } = openTables(cellColumns, isSeconds)
  fc.assert(
    fc.property(cellRows, (rows) => {
      fill(rows)
      expect(readRows(tables, 0)).toEqual(rows)
    }),
    { numRuns: cases(200) },
  )
})

it('cells keep years, 64 bits and 38 digits at both ends', () => {
  const { tables, fill } = openTables(cellColumns, isSeconds)
  const rows: Row[] = everyRow.map((row) => [...row, null, null])
  fill(rows)
  expect(readRows(tables, 0)).toEqual(rows)
})
