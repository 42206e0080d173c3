import { expect, test } from 'vitest'
import { contracts } from '../../src/contracts/contracts.ts'
import type { Finding } from '../../src/report/facts.ts'
import { describeRun, toNouns } from '../../src/report/facts/headline.ts'
import { createPlainRun } from './sample-run.ts'

const plain = createPlainRun()

const problem = (severity: Finding['severity']): Finding => {
  return { severity, kind: 'rules', count: 1, text: '', details: [] }
}

function tell(ledger: Partial<typeof plain.ledger>, status: 'proven' | 'unprovable' = 'proven'): string {
  const completeness = { status, reasons: [], total: null }
  return describeRun({ ...plain, ledger: { ...plain.ledger, ...ledger }, completeness }, [])
}

test('the sentence of a run names its records as their contract does', () => {
  const named = Object.entries(contracts).filter(([name]) => name !== 'v4/media')
  for (const [name, { record, plural }] of named)
    expect(toNouns(name)).toEqual([record.replaceAll('_', ' '), plural.replaceAll('_', ' ')])
  expect(toNouns('v4/media')).toEqual(['media item', 'media items'])
})

test('the sentence of a run says what was left out and why, and that nothing is lost only with a proof', () => {
  expect(tell({ lines: 20_001, blank: 1, accepted: 20_000 })).toBe('20,000 products, none lost on the way')
  expect(tell({ lines: 1, accepted: 1 }, 'unprovable')).toBe('1 product')
  expect(tell({ lines: 9, accepted: 3, filtered: 4, duplicate: 1, rejected: 1 })).toBe(
    '3 of 9 products, 4 left out by conditions, 1 left out as repeated, 1 rejected, nothing else missing',
  )
  expect(tell({ lines: 0, accepted: 0 })).toBe('no product came')
})

test('the sentence of a sample says how many lines it is', () => {
  const completeness = { status: 'incomplete', reasons: ['on purpose'], total: 9, limit: 4 } as const
  const ledger = { ...plain.ledger, lines: 4, accepted: 3, filtered: 1 }
  expect(describeRun({ ...plain, ledger, completeness }, [])).toBe(
    'a sample of 4 lines: 3 of 4 products, 1 left out by conditions',
  )
})

test('the sentence of a run counts what is wrong and what deserves a look, and has no count without', () => {
  expect(describeRun(plain, [problem('look')])).toMatch(/; 1 thing to look at$/)
  expect(describeRun(plain, [problem('wrong'), problem('look'), problem('look')])).toMatch(
    /; 1 thing is wrong, 2 to look at$/,
  )
  expect(describeRun(plain, [problem('wrong'), problem('wrong')])).toMatch(/; 2 things are wrong$/)
})
