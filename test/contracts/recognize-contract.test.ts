import { describe, expect, test } from 'vitest'
import { contractNames, type ContractName } from '../../src/contracts/contracts.ts'
import { recognizeContract } from '../../src/contracts/recognize-contract.ts'
import { cases } from '../depth.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'

function generate(contract: ContractName, dialect: 'documented' | 'loose', records: number): unknown[] {
  const chunks = [...generateLines({ contract, dialect, records, seed: 3, envelope: false })]
  const lines = Buffer.concat(chunks).toString().trim().split('\n')
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      // The loose dialect writes broken lines, which are no records of an export.
      return []
    }
  })
}

const certain = ['v4/product', 'v3/product', 'v4/media', 'v4/description', 'v4/leaflet', 'v4/catalog-category'] as const

describe('recognizeContract', () => {
  test.each(['documented', 'loose'] as const)(
    'the contract of generated records is always among the candidates: %s',
    (dialect) => {
      const missed = contractNames.filter(
        (name) =>
          name !== 'raw' &&
          name !== 'product' &&
          !recognizeContract(generate(name, dialect, cases(50, 10))).candidates.includes(name),
      )
      expect(missed).toEqual([])
    },
  )

  test.each(certain)('recognizeContract gives %s as the only candidate, with extra fields too', (name) => {
    expect(recognizeContract(generate(name, 'documented', 20)).candidates).toEqual([name])
    const { candidates, unknown } = recognizeContract([...generate(name, 'loose', 20), { id: 1, artgId: 'x' }])
    expect(candidates).toEqual([name])
    expect(unknown).toContain('artgId')
  })

  test('recognizeContract tells v3 from v4 by one product', () => {
    for (const name of ['v3/product', 'v4/product'] as const)
      expect(recognizeContract(generate(name, 'documented', 1)).candidates).toEqual([name])
  })

  test('recognizeContract gives every resource that has all fields of the records as a candidate', () => {
    const { candidates } = recognizeContract([{ id: 1, name: { nl: 'Merel' }, meta: { createdAt: 1 } }])
    expect(candidates).toEqual(expect.arrayContaining(['v4/brand', 'v3/brand', 'v4/product-family']))
    expect(candidates).not.toContain('v4/product')
  })

  test.each([
    [[]],
    [[null, 1, 'text', []]],
    [[{}]],
    [[{ id: 1 }]],
    [[{ name: 'without an id' }]],
    [[{ id: 1, invoice: 2, customer: 3, lines: [] }]],
  ])('recognizeContract gives no candidate for records of no resource: %j', (records) => {
    expect(recognizeContract(records).candidates).toEqual([])
  })

  test('recognizeContract reads lists in lists that are deeper than the stack', () => {
    const depth = 100_000
    const name: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    const records = generate('v4/description', 'documented', 20).map((record) => ({ ...(record as object), name }))
    expect(recognizeContract(records).candidates).toContain('v4/description')
  })
})
