import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'
import type { Field } from '../../src/contracts/fields.ts'
import { compileContentHash } from '../../src/records/flatten/content-hash.ts'
import type { CanonicalRecord } from '../../src/records/validate/validate-record.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { cases } from '../depth.ts'

const contract: Contract = contracts['v4/product']
const hashContent = compileContentHash(contract.fields, 'meta.updatedAt')
const records = parseRecords()

describe('the content hash of a record', () => {
  test('the content hash of a record is 16 hexadecimal digits, the same whenever it is made', () => {
    const again = compileContentHash(contract.fields, 'meta.updatedAt')
    for (const record of records) {
      expect(hashContent(record)).toMatch(/^[0-9a-f]{16}$/)
      expect(again(record)).toBe(hashContent(record))
    }
    expect(new Set(records.map((record) => hashContent(record))).size).toBe(records.length)
  })

  test('the content hash of a record does not depend on the order of keys, on nulls, or on what no contract lists', () => {
    fc.assert(
      fc.property(fc.constantFrom(...records), fc.infiniteStream(fc.nat(6)), (record, choices) => {
        const disguised = disguise(record, choices) as CanonicalRecord
        expect(hashContent(disguised)).toBe(hashContent(record))
      }),
      { numRuns: cases(150) },
    )
  })

  test('the content hash of a record does not depend on volatile fields and on the timestamp of the last change', () => {
    for (const record of records.slice(0, 20)) {
      const meta = { ...(record['meta'] as object), updatedAt: 1, embedUrl: 'https://a', publicPageUrl: 'https://b' }
      expect(hashContent({ ...record, meta })).toBe(hashContent(record))
      expect(hashContent({ ...record, meta: { ...meta, createdAt: 12 } })).not.toBe(hashContent(record))
    }
  })

  test('the content hash of a record depends on every other field of the contract', () => {
    const leaves = listLeaves(contract.fields, [])
    expect(leaves.length).toBeGreaterThan(200)
    const base = { id: 'A' }
    const hashes = leaves.map(({ path, field }) => hashContent(place(base, path, sampleOf(field))))
    const ignored = leaves.filter((_, at) => hashes[at] === hashContent(base)).map(({ path }) => path.join('.'))
    expect(ignored).toEqual(['meta.updatedAt', 'meta.embedUrl', 'meta.publicPageUrl'])
    const others = hashes.filter((hash) => hash !== hashContent(base))
    expect(new Set(others).size).toBe(others.length)
  })

  test('the content hash of a record depends on the order and the number of the elements of a list, on a null among them, and is not the same for no list and an empty one', () => {
    const hashes = [['a'], ['b'], ['a', 'b'], ['b', 'a'], [null, 'a'], [], null].map((locales) =>
      hashContent({ id: 'A', photos: [{ id: 1, locales }] }),
    )
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashContent({ id: 'A', photos: [{}] })).not.toBe(hashContent({ id: 'A', photos: [] }))
  })

  test('the content hash of a record is the same for a whole number as number and as bigint, and depends on all locales', () => {
    const grams = (value: unknown) => hashContent({ id: 'A', weight: value })
    expect(grams(12n)).toBe(grams(12))
    const inFrench = { id: 'A', name: { nl: 'x', fr: 'y' } }
    expect(hashContent({ id: 'A', name: { fr: 'y', nl: 'x' } })).toBe(hashContent(inFrench))
    expect(hashContent({ id: 'A', name: { nl: 'x', pt: 'z', fr: 'y' } })).not.toBe(hashContent(inFrench))
  })

  test('the content hash of a record includes the timestamp of the last change where it is no cursor', () => {
    const whole = compileContentHash(contract.fields, null)
    expect(whole({ id: 'A', meta: { updatedAt: 1 } })).not.toBe(whole({ id: 'A', meta: { updatedAt: 2 } }))
  })
})

function parseRecords(): CanonicalRecord[] {
  const text = Buffer.concat([...generateLines({ contract: 'v4/product', records: 60, seed: 3 })]).toString()
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => contract.schema.parse((JSON.parse(line) as { result: unknown }).result) as CanonicalRecord)
}

/** The same content in other words: keys in another order, nulls left out or put in, unknown fields. */
function disguise(value: unknown, choices: Iterator<number>): unknown {
  const choose = (): number => choices.next().value as number
  if (Array.isArray(value)) return value.map((item: unknown) => disguise(item, choices))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([, member]) => member !== null || choose() > 2)
    .map(([key, member]) => [key, disguise(member, choices)] as const)
  const shuffled = entries.map((entry) => ({ entry, rank: choose() })).toSorted((a, b) => a.rank - b.rank)
  // A locale could have any name, a field could not.
  const keys = Object.keys(value)
  const isByLocale = keys.length === 0 || keys.some((key) => /^(?:[a-z]{2}(?:_[A-Z]{2})?|\*)$/.test(key))
  const added = choose() > 3 && !isByLocale ? [['no field of the contract', choose()] as const] : []
  return Object.fromEntries([...added, ...shuffled.map(({ entry }) => entry)])
}

interface Leaf {
  readonly path: readonly string[]
  readonly field: Field
}

function listLeaves(fields: ReadonlyMap<string, Field>, path: readonly string[]): Leaf[] {
  return [...fields].flatMap(([name, field]) => leavesOf(field, [...path, name]))
}

function leavesOf(field: Field, path: readonly string[]): Leaf[] {
  if (path.join('.') === 'id') return []
  if (field.kind === 'object') return listLeaves(field.fields, path)
  if (field.kind === 'scalar') return [{ path, field }]
  return leavesOf(field.element, [...path, field.kind === 'list' ? '[]' : 'nl'])
}

function sampleOf(field: Field): unknown {
  if (field.kind !== 'scalar') return null
  return field.type === 'text' ? 'sample' : field.type === 'boolean' ? true : 7
}

function place(record: object, [name = '', ...rest]: readonly string[], sample: unknown): CanonicalRecord {
  return { ...record, [name]: inside(rest, sample) }
}

function inside(path: readonly string[], sample: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return sample
  return name === '[]' ? [inside(rest, sample)] : { [name]: inside(rest, sample) }
}
