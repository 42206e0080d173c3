import { expect, test } from 'vitest'
import type { ServiceSourcePlan } from '../../src/plan/source/source-plan.ts'
import { storeZip } from '../sources/workbook/stored-zip.ts'
import { checkValue } from './check-text.ts'

const cnk = { file: 'f', column: 'cnk', field: 'cnk' }

function check(content: string | Uint8Array, sourceIds: object) {
  const config = { name: 'x', source: { endpoint: 'v4/products/stream' }, sourceIds }
  const { plan, problems } = checkValue(config, { readListBytes: () => Buffer.from(content) })
  const source = plan?.source as ServiceSourcePlan | undefined
  return {
    identifiers: source?.sourceIds?.identifiers,
    complaints: problems.map(({ path, message }) => `${path.join('.')} ${message}`),
  }
}

test('a list is read by the name of a column that only one code page spells', () => {
  for (const text of ['d\xe9p\xf4t;a\n12345;\n', 'd\x82p\x93t;a\n12345;\n']) {
    const { identifiers } = check(Buffer.from(text, 'latin1'), { ...cnk, column: 'dépôt' })
    expect(identifiers).toEqual([{ code: '0012345', line: 2, written: '12345' }])
  }
})

test('a list is that of a column of a workbook, with the numbers of its rows', () => {
  const content = storeZip({
    'xl/workbook.xml': '<workbook><sheet name="Lijst" id="r1"/></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="a.xml"/></Relationships>',
    'xl/a.xml': `<worksheet><row r="3"><c t="str"><v>naam</v></c><c t="str"><v>cnk</v></c></row>
      <row r="7"><c r="B7"><v>12345</v></c></row></worksheet>`,
  })
  const identifiers = [{ code: '0012345', line: 7, written: '12345' }]
  expect(check(content, cnk)).toEqual({ identifiers, complaints: [] })
  expect(check(content, { ...cnk, sheet: 'Lijst' })).toEqual({ identifiers, complaints: [] })
  expect(check(content, { ...cnk, sheet: 'Blad1' }).complaints).toEqual([
    'sourceIds.file "f": expected a sheet "Blad1", got "Lijst"',
  ])
  expect(check(content, { file: 'f', field: 'cnk' }).complaints).toEqual([
    'sourceIds.column column: expected the name of a column of the sheet ("naam", "cnk"), got none',
  ])
  expect(check(content, { ...cnk, column: 'CNK' }).complaints).toEqual([
    'sourceIds.column column: expected a column of the header ("naam", "cnk"), got "CNK"',
  ])
})

test('a list that is no workbook has no sheet', () => {
  expect(check('cnk\n1\n', { ...cnk, sheet: 'Lijst' }).complaints).toEqual([
    'sourceIds.file "f": expected an Excel workbook (.xlsx) for sheet:, got another file',
  ])
})
