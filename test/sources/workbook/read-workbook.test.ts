import { expect, test } from 'vitest'
import { readSheet } from '../../../src/sources/workbook/read-workbook.ts'
import { storeZip } from './stored-zip.ts'

const workbook = `<workbook xmlns:r="urn:r"><sheets>
  <sheet name="Liste" sheetId="1" r:id="rId1"/><sheet name="R &amp; D" sheetId="2" r:id="rId2"/></sheets></workbook>`
const relations = `<Relationships>
  <Relationship Id="rId2" Target="/xl/worksheets/second.xml"/>
  <Relationship Target='worksheets/sheet1.xml' Id='rId1'/></Relationships>`

interface Parts {
  readonly rows?: string
  readonly shared?: string
  readonly styles?: string
  readonly book?: string
}

function read({ rows = '', shared = '', styles = '', book = workbook }: Parts, sheet?: string) {
  const files = {
    'xl/workbook.xml': book,
    'xl/_rels/workbook.xml.rels': relations,
    'xl/sharedStrings.xml': shared,
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/worksheets/second.xml': '<worksheet><sheetData><row><c t="str"><v>second</v></c></row></sheetData></worksheet>',
  }
  return readSheet(storeZip(files), sheet).rows
}

test('texts of a sheet are read from shared strings, cells and formulas', () => {
  const shared = `<sst><si><t xml:space="preserve"> a &lt; b</t></si>
    <si><r><rPr><b/></rPr><t>bo</t></r><r><t>ld</t></r><rPh><t>no</t></rPh></si><si/></sst>`
  const rows = `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="s"><v>2</v></c></row>
    <row r="5"><c r="B5" t="inlineStr"><is><t>in _x000D_line</t></is></c><c t="str"><f>A1&amp;"x"</f><v>made</v></c></row>
    <row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c/><c t="inlineStr"><is><t><![CDATA[<5 & 6]]></t></is></c></row>
    <row><c t="str"><v>  </v></c></row>`
  expect(read({ rows, shared })).toEqual([
    { line: 2, cells: [' a < b', '', 'bold', ''] },
    { line: 5, cells: ['', 'in \rline', 'made'] },
    { line: 6, cells: ['TRUE', '#N/A', '', '<5 & 6'] },
  ])
})

test('tags of a sheet may have a prefix, quotes of either kind, and comments among them', () => {
  const rows = `<x:row r='1'><!-- <c><v>9</v></c> --><x:c r='A1' note="a>b"><x:v>7</x:v></x:c></x:row>`
  expect(read({ rows })).toEqual([{ line: 1, cells: ['7'] }])
})

test('numbers of a sheet keep all their digits, and codes the zeros that their format shows', () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0000000"/><numFmt numFmtId="165" formatCode="0.00"/>
    </numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`
  const written = [
    '5413000000017',
    '5.413000000017E+12',
    '5413000000017.0',
    '12.5',
    '-3',
    '1e-7',
    '9007199254740993',
    '1E999',
  ]
  const rows = `<row>${written.map((each) => `<c><v>${each}</v></c>`).join('')}<c s="1"><v>12345</v></c><c s="2"><v>12.5</v></c></row>`
  const [row] = read({ rows, styles })
  expect(row?.cells).toEqual([
    '5413000000017',
    '5413000000017',
    '5413000000017',
    '12.5',
    '-3',
    '1e-7',
    '9007199254740992',
    '1E999',
    '0012345',
    '12.5',
  ])
})

test('days and times of a sheet are ISO 8601, by either epoch', () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-809]dd\\ mmm\\ yyyy;@"/>
    <numFmt numFmtId="171" formatCode="&quot;day&quot; 0"/><numFmt numFmtId="172" formatCode="[Red]0"/></numFmts>
    <cellXfs><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs></styleSheet>`
  const rows = `<row><c s="0"><v>46024</v></c><c s="1"><v>46024.5732638889</v></c><c s="2"><v>46024</v></c><c s="3"><v>7</v></c></row>`
  expect(read({ rows, styles })[0]?.cells).toEqual(['2026-01-02', '2026-01-02T13:45:30', '46024', '7'])
  const book = workbook.replace('<sheets>', '<workbookPr date1904="1"/><sheets>')
  const days = `<row><c s="0"><v>44562</v></c></row>`
  expect(read({ rows: days, styles, book })[0]?.cells).toEqual(['2026-01-02'])
})

test('a sheet is chosen by its name, and one that is not there is named with those that are', () => {
  expect(read({}, 'R & D')).toEqual([{ line: 1, cells: ['second'] }])
  expect(() => read({}, 'Blad1')).toThrow('expected a sheet "Blad1", got "Liste", "R & D"')
})

test.each([
  ['another zip file', storeZip({ 'content.xml': '<a/>' }), 'expected an Excel workbook (.xlsx), got another zip file'],
  [
    'a cut one',
    storeZip({ 'xl/workbook.xml': workbook }).subarray(0, 60),
    'expected a whole workbook, got one that is cut',
  ],
  [
    'one without its sheet',
    storeZip({ 'xl/workbook.xml': workbook }),
    'expected the sheet "Liste" in the file, got none',
  ],
])('a workbook is refused if it is %s', (_, bytes, message) => {
  expect(() => readSheet(bytes)).toThrow(message)
})
