import { describe, expect, test } from 'vitest'
import { IdentifierTally } from '../../../src/service/read/identifier-tally.ts'

/** The codes that brought nothing after these records. */
function missing(key: string, codes: readonly (string | number)[], records: readonly object[]): unknown {
  const tally = new IdentifierTally([{ key, codes, path: [key] }])
  for (const record of records) tally.add(Buffer.from(`${JSON.stringify(record)}\n`))
  return tally.missing()
}

describe('codes that brought nothing', () => {
  test('codes that brought nothing are listed each as it was asked for, also where two mean the same', () => {
    const codes = ['0123', '123', '7', '07']
    expect(missing('ean', codes, [{ ean: [7] }])).toEqual([{ key: 'ean', asked: 4, missing: ['0123', '123'] }])
  })

  test('codes that brought nothing are all codes where no record came', () => {
    expect(missing('cnk', ['0000001'], [])).toEqual([{ key: 'cnk', asked: 1, missing: ['0000001'] }])
  })

  test('codes that brought nothing are found by the products that a news item or a picture is about', () => {
    const records = [
      { id: 1, products: ['M1', 'M2'] },
      { id: 2, products: [] },
    ]
    expect(missing('product', ['M1', 'M3'], records)).toEqual([{ key: 'product', asked: 2, missing: ['M3'] }])
  })

  test('codes that brought nothing are not listed where records have no field for the codes', () => {
    expect(missing('product', ['M1', 'M3'], [{ id: 1 }])).toEqual([])
  })

  test('codes that brought nothing do not include one of a line that is broken after its code', () => {
    const tally = new IdentifierTally([{ key: 'cnk', codes: ['1', '2'], path: ['cnk'] }])
    tally.add(Buffer.from('{"meta":{"total":1,"index":0},"result":{"id":"M1","cnk":"1","name":{"nl":"bro\n'))
    expect(tally.missing()).toEqual([{ key: 'cnk', asked: 2, missing: ['2'] }])
  })
})
