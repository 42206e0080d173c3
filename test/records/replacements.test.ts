import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSuccessions, describeSuccession, isReplaced, type Replaceable } from '../../src/records/replacements.ts'
import { cases } from '../depth.ts'

const current: Replaceable = { status: 'active', replacement: null }
const by = (replacement: string | null): Replaceable => ({ status: 'replaced', replacement })

function follow(records: Readonly<Record<string, Replaceable>>, id: string) {
  return compileSuccessions((each) => (Object.hasOwn(records, each) ? records[each] : undefined))(id)
}

describe('replacements', () => {
  it('a chain of replacements ends at the product that is not replaced, active or not', () => {
    const records = { A: by('B'), B: by('C'), C: { status: 'inactive', replacement: null } }
    expect(follow(records, 'A')).toEqual({ kind: 'successor', id: 'C' })
    expect(follow(records, 'B')).toEqual({ kind: 'successor', id: 'C' })
    expect(follow(records, 'C')).toEqual({ kind: 'none' })
  })

  it('products that replace one another are named, beginning with the smallest, wherever one came from', () => {
    const records = { A: by('D'), B: by('C'), C: by('D'), D: by('B') }
    for (const id of ['A', 'B', 'C', 'D']) expect(follow(records, id)).toEqual({ kind: 'cycle', ids: ['B', 'C', 'D'] })
    expect(follow({ A: by('A') }, 'A')).toEqual({ kind: 'cycle', ids: ['A'] })
  })

  it('a chain that ends at no product names the last product and what is missing', () => {
    const records = { A: by('B'), B: by('X'), C: by('D'), D: by(null), E: by('') }
    expect(follow(records, 'A')).toEqual({ kind: 'deadEnd', id: 'B', missing: 'X' })
    expect(follow(records, 'C')).toEqual({ kind: 'deadEnd', id: 'D', missing: null })
    expect(follow(records, 'E')).toEqual({ kind: 'deadEnd', id: 'E', missing: null })
    expect(follow(records, 'not there')).toEqual({ kind: 'none' })
  })

  it('a product is replaced if its status says so, or if it names a replacement and its status is not known', () => {
    expect(isReplaced(by(null))).toBe(true)
    expect(isReplaced({ status: 'active', replacement: 'B' })).toBe(false)
    expect(isReplaced({ status: null, replacement: 'B' })).toBe(true)
    expect(isReplaced({ status: null, replacement: null })).toBe(false)
  })

  it('each outcome is said in words', () => {
    const records = { A: by('B'), B: current, C: by('D'), D: by('C'), E: by('X'), F: by(null) }
    expect(['A', 'B', 'C', 'E', 'F'].map((id) => describeSuccession(follow(records, id)))).toEqual([
      'replaced by B',
      'not replaced',
      'replaced in a circle: C → D → C',
      'replaced by X, which is not there',
      'replaced, but no product is named',
    ])
  })

  it('following any replacements one by one gives the same ends, in whatever order they are asked for', () => {
    const size = 12
    const arbitrary = fc.array(fc.option(fc.nat(size + 1), { freq: 4 }), { minLength: size, maxLength: size })
    fc.assert(
      fc.property(arbitrary, fc.array(fc.nat(size - 1), { minLength: 1 }), (targets, asked) => {
        const records = targets.map((to) => (to === null ? current : by(to === size + 1 ? null : String(to))))
        const succeed = compileSuccessions((id) => records[Number(id)])
        for (const start of asked) expect(succeed(String(start))).toEqual(walk(targets, start, size))
      }),
      { numRuns: cases(5000) },
    )
  })

  it('a chain of a hundred thousand products is followed from each of them, looking each up once', () => {
    const length = 100_000
    let lookups = 0
    const succeed = compileSuccessions((id) => {
      lookups++
      return Number(id) === length ? current : by(String(Number(id) + 1))
    })
    const ends = new Set(Array.from({ length }, (_, id) => succeed(String(id))))
    expect([...ends]).toEqual([{ kind: 'successor', id: String(length) }])
    expect(lookups).toBe(length + 1)
  })
})

/** Walks as many steps as there are products: where one still is then, is on a cycle. */
function walk(targets: readonly (number | null)[], start: number, size: number) {
  let at = start
  for (let step = 0; step < size; step++) {
    const next = targets[at]
    if (next === null) return at === start ? { kind: 'none' } : { kind: 'successor', id: String(at) }
    if (next === size + 1) return { kind: 'deadEnd', id: String(at), missing: null }
    if (next === size) return { kind: 'deadEnd', id: String(at), missing: String(size) }
    at = next as number
  }
  const ids = [String(at)]
  for (let next = targets[at] as number; next !== at; next = targets[next] as number) ids.push(String(next))
  const first = ids.indexOf(ids.toSorted()[0] as string)
  return { kind: 'cycle', ids: [...ids.slice(first), ...ids.slice(0, first)] }
}
