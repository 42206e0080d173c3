import { describe, expect, test } from 'vitest'
import type { ServiceSourcePlan } from '../../src/plan/source/source-plan.ts'
import { checkValue, like } from './check-text.ts'

interface Changes {
  readonly endpoint?: string
  readonly source?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

/** A config that reads the list `content`, checked. */
function check(content: string | Uint8Array, sourceIds: object, { endpoint, source, ...more }: Changes = {}) {
  const config = { name: 'x', source: { endpoint: endpoint ?? 'v4/products/stream', ...source }, sourceIds, ...more }
  return checkValue(config, { readListBytes: () => Buffer.from(content) })
}

function plan(content: string | Uint8Array, sourceIds: object, changes: Changes = {}): ServiceSourcePlan {
  const checked = check(content, sourceIds, changes)
  expect(checked.problems).toEqual([])
  return checked.plan!.source as ServiceSourcePlan
}

function codes(content: string | Uint8Array, sourceIds: object, changes: Changes = {}): unknown[] {
  return plan(content, sourceIds, changes).sourceIds!.identifiers.map(({ code }) => code)
}

function complaints(content: string | Uint8Array, sourceIds: object, changes: Changes = {}): string[] {
  return check(content, sourceIds, changes).problems.map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('the identifiers of a CSV file without a header', () => {
  const third = { file: 'f', column: 3, field: 'cnk' }

  test.each([
    ['a semicolon, beside decimal commas', 'a;1,5;12345\nb;2,50;12346\n'],
    ['a semicolon, beside commas in most rows', 'a, b, c;1,5;12345\nb;2,50;12346\n'],
    ['a comma', 'a,1.5,12345\nb,2,12346\n'],
    ['a tab', 'a\t1,5\t12345\r\nb\t2,5\t12346\r\n'],
    ['a delimiter within quotes', '"a,b,c,d";1;12345\n"a";1;12346\n'],
    ['line breaks within quotes', '"a\n,b\n,c";1;12345\n"a\n,";1;12346\n'],
    ['rows that are shorter', 'a;1;12345\nb\n;;\nc;1;12346\n'],
  ])('identifiers in a CSV file without a header are found with %s', (_, content) => {
    expect(codes(content, third)).toEqual(['0012345', '0012346'])
  })

  test('a header in a list with a column number is a problem that asks for the name of the column', () => {
    const first = { ...third, column: 1 }
    expect(complaints('CNK,name\n12345,a\n', first)).toEqual([
      like(/got "CNK" in line 1; of a list with a header, give the name of its column, not its number$/),
    ])
    expect(complaints('12x45,name\n12345,a\n', first)).toEqual([like(/got "12x45" in line 1$/)])
    expect(complaints('12345\n12346\n', { file: 'f', column: 'cnk' })).toEqual([
      'sourceIds.column column: expected a column of the header ("12345"), got "cnk"; of a list without a header, its number, from 1',
    ])
  })

  test('identifiers come from the column with that number, which must exist', () => {
    expect(codes('12345\n12346', { ...third, column: 1 })).toEqual(['0012345', '0012346'])
    expect(complaints('a;1;12345\n', { ...third, column: 4 })).toEqual([
      'sourceIds.column column: expected the number of a column, from 1 to 3, got 4',
    ])
    expect(complaints('12345\n', { file: 'f', column: 1 })).toEqual([like(/^sourceIds\.field missing key "field"/)])
  })
})

describe('codes as they are printed', () => {
  test.each([
    ['cnk', '4400-575', '4400575'],
    ['cnk', '1270 525', '1270525'],
    ['cnk', ' 12\u2011345 ', '0012345'],
    ['ean', '5 412345 678908', '5412345678908'],
    ['cnk', '5660382.0', '5660382'],
    ['cnk', '12345,0', '0012345'],
  ])('printed codes lose their hyphens, spaces and decimals: %s %s', (field, written, code) => {
    const { summary, identifiers } = plan(`${written}\n`, { file: 'f', field }).sourceIds!
    expect([summary.repaired, identifiers[0]?.code]).toEqual([1, code])
  })

  test.each(['4400--575', '-4400575', '4400575-', '44.00575', '4400575.5', '123,00', '1270525 1270526'])(
    'do not include other text with digits: %s',
    (written) => expect(complaints(`${written}\n`, { file: 'f', field: 'cnk' })).toHaveLength(1),
  )

  test('ids keep their hyphens', () => {
    expect(codes('4400-575\n', { file: 'f', field: 'id' }, { endpoint: 'v4/catalog-categories/query' })).toEqual([
      '4400-575',
    ])
    expect(complaints('4400-575\n', { file: 'f', field: 'id' }, { endpoint: 'v4/brands/query' })).toHaveLength(1)
  })
})

describe('codes in where', () => {
  test.each([
    ['4400-575', ['4400575']],
    [12345, ['0012345']],
    ['1270 525', ['1270525']],
    [
      ['5660382.0', null, ''],
      ['5660382', null, ''],
    ],
  ])('a CNK code in where is read as in a list of sourceIds: %j', (cnk, values) => {
    expect(plannedTest({ cnk })).toEqual({ kind: 'in', values })
    expect(plannedTest({ cnk: { not: cnk } })).toEqual({ kind: 'not', values })
  })

  test('a bar code in where matches with and without leading zeros', () => {
    const values = ['012345678905', '12345678905', '0012345678905', '00012345678905']
    expect(plannedTest({ ean: '012345 678905' })).toMatchObject({ kind: 'in', values: expect.arrayContaining(values) })
    expect(plannedTest({ 'ean[]': '012345 678905' })).toEqual(plannedTest({ ean: '012345678905' }))
    expect(plannedTest({ eanGtin14: 12_345_678_905 })).toEqual({ kind: 'in', values: ['00012345678905'] })
  })

  test.each([
    [{ cnk: '123456789' }, /^where: expected a CNK code \(7 digits, .*\), got text "123456789"$/],
    [{ cnk: ['0012345', 'abc'] }, /^where: expected a CNK code .*, got text "abc"$/],
    [{ ean: { not: '5412345-67890812' } }, /^where: expected an EAN code \(at most 14 digits\), got text/],
    [{ eanGtin8: 123_456_789 }, /^where: expected an EAN-8 code \(8 digits, .*\), got number 123456789$/],
  ])('a code of a wrong form in where is a problem: %j', (where, message) => {
    expect(plannedTest(where)).toEqual([like(message)])
  })
})

describe('entries that are not identifiers', () => {
  const reported = { file: 'f', field: 'cnk', badIdentifiers: 'report' }

  test('entries that are no identifiers are reported with their line under badIdentifiers: report', () => {
    expect(plan('12345\nnull\n123456789\n', reported).sourceIds).toMatchObject({
      summary: { rows: 3, identifiers: 1, bad: 2 },
      bad: [
        { line: 2, written: 'null' },
        { line: 3, written: '123456789' },
      ],
    })
  })

  test('a list with only bad entries is a problem, and so is a header', () => {
    expect(complaints('null\n', reported)).toEqual(['sourceIds.file "f": expected at least one identifier, got none'])
    expect(complaints('cnk\n12345\n', reported)).toEqual([like(/got "cnk" in line 1; of a CSV file/)])
  })
})

function plannedTest(where: object) {
  const checked = checkValue({ name: 'x', source: { files: 'a.ndjson', contract: 'v4/product' }, where })
  return checked.plan?.records.where[0]?.test ?? checked.problems.map(({ message }) => message)
}
