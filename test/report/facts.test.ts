import { describe, expect, it } from 'vitest'
import { listFindings, worstOf } from '../../src/report/facts.ts'
import { describeProof } from '../../src/report/facts/completeness.ts'
import type { ReportManifest } from '../../src/report/report-manifest.ts'
import { createHostileRun, createPlainRun, secret } from './sample-run.ts'

const plain = createPlainRun()
const proven = (total: number | null) => ({ status: 'proven' as const, reasons: [], total })

/** The findings of a run, as `severity kind count`. */
function list(changes: Partial<ReportManifest>): string[] {
  return listFindings({ ...plain, ...changes }).map(({ severity, kind, count }) => `${severity} ${kind} ${count}`)
}

describe('the facts of a run', () => {
  it('are none for a run without any problem', () => {
    expect(list({})).toEqual([])
    expect(worstOf([])).toBe('note')
  })

  it('tell what is wrong first, then what deserves a look, then what is good to know', () => {
    const told = listFindings(createHostileRun().manifest).map(({ severity }) => severity)
    expect(told.slice(0, 2)).toEqual(['wrong', 'wrong'])
    expect(told.at(-1)).toBe('note')
    expect(told).toEqual(['wrong', 'look', 'note'].flatMap((each) => told.filter((severity) => severity === each)))
  })

  it('tell repeated ids that were kept, not those that `duplicates` left out or rejected', () => {
    const ledger = { ...plain.ledger, lines: 9, accepted: 6, repeatedIds: 3 }
    expect(list({ ledger: { ...ledger, accepted: 9 } })).toEqual(['look repeats 3'])
    expect(list({ ledger: { ...ledger, duplicate: 3 } })).toEqual([])
    const reasons = [{ code: 'duplicate_id', path: 'id', count: 3, expected: 'an id once' }]
    const rejects = { path: 'r', count: 3, reasons }
    expect(list({ ledger: { ...ledger, rejected: 3 }, rejects })).toEqual(['look rejects 3'])
  })

  it('tell the condition that nothing met before all else, with the value that was probably meant', () => {
    const doubt = {
      kind: 'condition',
      severity: 'wrong',
      count: 3,
      text: 'of 3 records none meets where a: b',
    } as const
    const changes = { completeness: { status: 'incomplete', reasons: ['cut'], total: null } } as const
    const [first] = listFindings({ ...plain, ...changes, doubts: [{ ...doubt, near: ['B'] }] })
    expect(first?.text).toBe('of 3 records none meets where a: b; did you mean B?')
    const told = { ...plain, doubts: [{ ...doubt, values: ['c'] }] }
    expect(listFindings(told)[0]?.text).toBe('of 3 records none meets where a: b; values that occur: c')
    expect(listFindings(told, { examples: false })[0]?.text).toBe('of 3 records none meets where a: b')
  })

  it('tell first the broken rules for which nothing is published', () => {
    const [told] = listFindings({
      ...plain,
      rules: [brokenRule('a', 'warn'), brokenRule('b', 'error'), brokenRule('c', 'warn')],
    })
    expect(told?.details).toEqual([
      'b: expected at least 9 rows, got 2 rows; severity error',
      'a: expected at least 9 rows, got 2 rows',
      'c: expected at least 9 rows, got 2 rows',
    ])
  })

  it('name the record of several rows that break a rule, if there is one', () => {
    const rule = {
      table: 'photos',
      rule: 'in',
      severity: 'warn',
      result: 'broken',
      expected: 'x',
      count: 0,
      found: 'y',
    } as const
    const tell = (changes: object) => listFindings({ ...plain, rules: [{ ...rule, ...changes }] })[0]?.details
    expect(tell({ count: 2, listed: 2, ids: ['a'] })).toEqual(['photos: expected x, got y (id a)'])
    expect(tell({ count: 5, listed: 5, ids: ['a', 'b', 'c'] })).toEqual(['photos: expected x, got y (ids a, b, c, …)'])
    expect(tell({ count: 5000, listed: 1000, ids: ['a'] })).toEqual(['photos: expected x, got y (id a, …)'])
  })

  it('are green with values in other locales, nulls in lists and repeated requests', () => {
    const drift = { ...plain.drift, otherLocales: { de: 5 }, nullElements: { 'photos[]': 1 } }
    expect(list({ drift })).toEqual(['note nulls 1', 'note locales 5'])
  })

  it('show no value of a record unless asked to', () => {
    const { manifest } = createHostileRun()
    expect(JSON.stringify(listFindings(manifest))).toContain(secret)
    expect(JSON.stringify(listFindings(manifest, { examples: false }))).not.toContain(secret)
  })
})

describe('the proof that a stream is complete', () => {
  const [source] = plain.sources
  const file = (total: number | null) => ({
    ...source!,
    completeness: proven(total),
  })

  it('names each file if each is a stream of its own', () => {
    expect(describeProof(proven(19_997), [file(19_997)])).toBe('indexes 0 to 19,996, each once')
    const both = [file(19_997), file(19_997)]
    expect(describeProof(proven(39_994), both)).toBe('2 files, each complete: indexes 0 to 19,996, each once')
    const apart = 'every index from 0 to its last, each once'
    expect(describeProof(proven(7), [file(3), file(4)])).toBe(`2 files, each complete: ${apart}`)
    expect(describeProof(proven(0), [file(0), file(0)])).toBe('no record matches')
  })

  it('covers all files together if they are parts of one stream', () => {
    expect(describeProof(proven(8), [file(null), file(null)])).toBe('indexes 0 to 7, each once')
  })
})

function brokenRule(table: string, severity: 'warn' | 'error') {
  return {
    table,
    rule: 'rows',
    count: 0,
    severity,
    result: 'broken',
    expected: 'at least 9 rows',
    found: '2 rows',
  } as const
}
