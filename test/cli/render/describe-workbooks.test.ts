import { expect, test } from 'vitest'
import { describeCutTexts, describeSheets } from '../../../src/cli/render/describe-workbooks.ts'
import type { FileReport } from '../../../src/loads/state/published-state.ts'

const file: FileReport = {
  table: 'photos',
  format: 'xlsx',
  path: 'out/desk.xlsx',
  rows: 3,
  bytes: 1,
  sha256: '',
  columns: [],
}

test('the summary of a run names the sheets in which a table continues, and texts that were cut', () => {
  const sheets = [
    { name: 'photos', rows: 1_048_575 },
    { name: 'photos (2)', rows: 1_048_575 },
    { name: 'photos (3)', rows: 12 },
  ]
  expect(describeSheets([{ ...file, sheets }])).toEqual([
    'photos continues in "photos (2)" (1,048,575 rows) and "photos (3)" (12 rows)',
  ])
  expect(describeSheets([file, { ...file, sheets: sheets.slice(0, 1) }])).toEqual([])
  expect(describeCutTexts([file, { ...file, cutTexts: { raw: 1200 } }])).toEqual([
    '1,200× photos.raw, to the 32,767 characters of a cell',
  ])
})
