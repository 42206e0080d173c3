import { describe, expect, it } from 'vitest'
import { canonical, checkDigit, knownSchemes, schemeOf, spaceOf } from '../../src/codes/schemes.ts'
import { listCodeFields } from '../../src/contracts/code-fields.ts'
import { contracts } from '../../src/contracts/contracts.ts'
import { resolveContract } from '../../src/contracts/extended/extend-contract.ts'
import { cases } from '../depth.ts'

describe('canonical', () => {
  it('gives a CNK its seven digits, however lists, spreadsheets and programs wrote it', () => {
    const written = ['0123456', '123456', 123456, '123456.0', '123456,0', '0123-456', ' 0123 456 ', '="0123456"']
    expect(
      new Set([...written, "'0123456", '00123456', '\uFEFF0123456'].map((each) => canonical('cnk', each))),
    ).toEqual(new Set(['0123456']))
  })

  it('gives every GTIN of any length and field fourteen digits', () => {
    for (const scheme of ['ean', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14'])
      expect(canonical(scheme, '4006381333931')).toBe('04006381333931')
    expect(canonical('gtin12', '036000291452')).toBe('00036000291452')
    expect(canonical('gtin8', 96_385_074)).toBe('00000096385074')
  })

  it('knows a CIP7, a CIP13, a PZN and an ACL of either length', () => {
    expect(canonical('cip7', '3595583')).toBe('3595583')
    expect(canonical('cip13', '3400935955838')).toBe('3400935955838')
    expect(canonical('cip13', '3595583')).toBeNull()
    expect(canonical('pzn', '4877800')).toBe('04877800')
    expect(canonical('acl', '3401560000000')).toBe('3401560000000')
    expect(canonical('acl', '6000000')).toBe('6000000')
  })

  it('takes no other text, no garbage and no code with too many digits', () => {
    for (const scheme of knownSchemes)
      for (const each of ['1', 0, '0000000', '', 'null', 'M34C3D3A5E', '12-', '1e6', 1.5, -1, null, undefined, {}, []])
        expect(canonical(scheme, each)).toBeNull()
    expect(canonical('cnk', '12345678')).toBeNull()
    expect(canonical('ean', '123456789012345')).toBeNull()
  })

  it('keeps the text of a scheme that is not known, and leaves out an empty one and "null"', () => {
    expect(canonical('artgId', ' A-12 ')).toBe('A-12')
    expect(canonical('artgId', 'NULL')).toBeNull()
    expect(canonical('artgId', '')).toBeNull()
  })

  it('does not change a canonical code', () => {
    const written = Array.from({ length: cases(20_000, 500) }, (_, at) =>
      String((at * 7_919_000_003) % 10 ** ((at % 14) + 1)),
    )
    for (const scheme of knownSchemes) {
      const codes = written.flatMap((each) => canonical(scheme, each) ?? [])
      expect(codes.length).toBeGreaterThan(0)
      expect(codes.map((code) => canonical(scheme, code))).toEqual(codes)
    }
  })
})

describe('checkDigit', () => {
  // Printed on packs, or examples of the publishers of each way to compute it.
  const right = {
    ean: ['04006381333931', '00036000291452', '00000096385074', '00614141123452'],
    cip13: ['3400935955838'],
    pzn: ['04877800', '02758089'],
  }

  it.each(Object.entries(right))(
    'finds the digit of a published %s right, and every other last digit wrong',
    (scheme, codes) => {
      for (const code of codes) {
        for (let last = 0; last < 10; last++) {
          const other = code.slice(0, -1) + String(last)
          expect(checkDigit(scheme, other)).toBe(other === code ? 'right' : 'wrong')
        }
      }
    },
  )

  it('judges no scheme without a published way to compute the digit', () => {
    expect(checkDigit('cnk', '0123456')).toBe('none')
    expect(checkDigit('cip7', '3595583')).toBe('none')
    expect(checkDigit('acl', '6000000')).toBe('none')
    expect(checkDigit('artgId', '12')).toBe('none')
  })
})

describe('schemes of fields', () => {
  it('knows the codes of products of both versions and of contract.extra', () => {
    expect(listCodeFields(contracts['v4/product'])).toEqual([
      { path: 'ean[]', scheme: 'ean' },
      { path: 'gtin', scheme: 'gtin' },
      { path: 'cnk', scheme: 'cnk' },
      { path: 'eanGtin8', scheme: 'gtin8' },
      { path: 'eanGtin12', scheme: 'gtin12' },
      { path: 'eanGtin13', scheme: 'gtin13' },
      { path: 'eanGtin14', scheme: 'gtin14' },
    ])
    expect(listCodeFields(contracts['v3/product']).map(({ path }) => path)).toEqual(['ean[]', 'gtin', 'cnk'])
    const extra = { cip13: 'code', cipOrAcl7: 'integer', 'market.pzn': 'text', artgId: 'code', note: 'text' } as const
    const extended = listCodeFields(resolveContract({ contract: 'v4/product', extra })).slice(7)
    expect(extended.map(({ path, scheme }) => [path, scheme])).toEqual([
      ['cip13', 'cip13'],
      ['cipOrAcl7', 'cip7'],
      ['market.pzn', 'pzn'],
      ['artgId', 'artgId'],
    ])
  })

  it('compares GTINs of all fields, and codes of other schemes only with their own', () => {
    expect(new Set(['ean', 'gtin', 'gtin8', 'gtin14'].map(spaceOf))).toEqual(new Set(['gtin']))
    expect(['cnk', 'cip7', 'cip13', 'acl', 'pzn', 'artgId'].map(spaceOf)).toEqual([
      'cnk',
      'cip7',
      'cip13',
      'acl',
      'pzn',
      'artgId',
    ])
    expect(schemeOf('name')).toBeNull()
  })
})
