import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvTableError, parseCsvTable } from '../../src/sources/csv-table.ts'

describe('the rows of a CSV table', () => {
  test('a CSV table is a header and rows, each with the line that it begins in', () => {
    const text = '\uFEFF cnk ;name\r\n"0012";"two\r\nlines; and ""quotes"""\r\n\r\n;\r\n34;\r\n5;six;7\r\n'
    expect(parseCsvTable(text)).toEqual({
      header: ['cnk', 'name'],
      rows: [
        { line: 2, cells: ['0012', 'two\r\nlines; and "quotes"'] },
        { line: 6, cells: ['34', ''] },
        { line: 7, cells: ['5', 'six', '7'] },
      ],
    })
  })

  test.each([
    ['a,b\n1,2', [['1', '2']]],
    ['a\tb\n1,5\t2', [['1,5', '2']]],
    ['"a,x,y";b\n1;2', [['1', '2']]],
    ['cnk\n0012\n0013\n', [['0012'], ['0013']]],
    [
      'a,b\r1,2\r3,4',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a,b\n', []],
  ])('a CSV table of %j has its delimiter and line ends found', (text, cells) => {
    expect(parseCsvTable(text).rows.map((row) => row.cells)).toEqual(cells)
  })

  test('a CSV table takes the delimiter of the options', () => {
    expect(parseCsvTable('a|b,c\n1|2,3', { delimiter: '|' })).toMatchObject({ header: ['a', 'b,c'] })
  })

  test.each([
    ['', 1, 'expected a header line, got nothing'],
    ['\n \n', 1, 'expected a header line, got nothing'],
    ['a,b\n"x\ny",2\n"secret', 4, 'expected a quote that closes one opened in this row'],
    ['a,b\n1,2\n3,sec"ret"\n', 3, 'expected a value in quotes to be quoted as a whole, its own quotes doubled'],
    ['a,b\n1,2\n3,"sec"ret\n', 3, 'expected a value in quotes to be quoted as a whole, its own quotes doubled'],
  ])('a CSV table of %j is refused with its line and nothing of its text', (text, line, message) => {
    const thrown = catchError(() => parseCsvTable(text))
    expect(thrown).toBeInstanceOf(CsvTableError)
    expect(thrown).toMatchObject({ line, message })
    expect(String(thrown)).not.toContain('sec')
    expect(thrown).not.toHaveProperty('cause')
  })

  test('a CSV table has the quoted values, with the line of every row', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', ' ', '|') })
    const row = fc
      .array(cell, { minLength: 3, maxLength: 3 })
      .filter((cells) => cells.some((text) => text.trim() !== ''))
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const text = ['a,b,c', ...rows.map((cells) => cells.map(quote).join(','))].join('\n')
        const parsed = parseCsvTable(text)
        expect(parsed.rows.map(({ cells }) => cells)).toEqual(rows)
        const starts = rows.map(
          (_, at) =>
            text.split('\n').length -
            rows
              .slice(at)
              .map((cells) => cells.map(quote).join(','))
              .join('\n')
              .split('\n').length +
            1,
        )
        expect(parsed.rows.map(({ line }) => line)).toEqual(starts)
      }),
    )
  })
})

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

function catchError(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}
