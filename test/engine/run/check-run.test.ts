import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PipelinePlan } from '../../../src/plan/pipeline-plan.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { noWrongValues } from '../../../src/records/wrong-values.ts'
import { checkRun } from '../../../src/engine/run/check-run.ts'
import { CatalogueError } from '../../../src/errors.ts'
import { cases } from '../../depth.ts'
import type { Completeness } from '../../../src/manifest/manifest.ts'

const proven: Completeness = { status: 'proven', reasons: [], total: 1 }
const incomplete: Completeness = { status: 'incomplete', reasons: ['a gap', 'a repeat'], total: 1 }

describe('the limit of rejects', () => {
  test('the limit of rejects is a share of the lines that are not blank, exact for every share and number of lines', () => {
    const hundredths = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(hundredths, fc.integer({ min: 0, max: 2_000_000 }), fc.nat({ max: 50 }), (share, lines, blank) => {
        const plan = planLimit(`${(share / 100).toFixed(2)}%`)
        const allowed = Number((BigInt(share) * BigInt(lines)) / 10_000n)
        expect(judge(plan, allowed, lines, blank)).toBe('published')
        expect(judge(plan, allowed + 1, lines, blank)).toBe('TOO_MANY_REJECTS')
      }),
      { numRuns: cases(300) },
    )
  })

  test.each([
    { limit: '29%', lines: 100, allowed: 29 },
    { limit: '0.57%', lines: 10_000, allowed: 57 },
    { limit: '0.7%', lines: 11_000, allowed: 77 },
    { limit: '1%', lines: 99, allowed: 0 },
    { limit: '100%', lines: 7, allowed: 7 },
    { limit: '0%', lines: 7, allowed: 0 },
    { limit: 5, lines: 7, allowed: 5 },
    { limit: '5', lines: 7, allowed: 5 },
    { limit: 0, lines: 7, allowed: 0 },
  ])('the limit of rejects of $limit allows $allowed of $lines lines', ({ limit, lines, allowed }) => {
    expect(judge(planLimit(limit), allowed, lines)).toBe('published')
    expect(judge(planLimit(limit), allowed + 1, lines)).toBe('TOO_MANY_REJECTS')
  })
})

describe('completeness', () => {
  test('incompleteness is reported before the limit of rejects, if completeness is required and no limit is set', () => {
    const plan = planLimit(0)
    const reporting = { ...plan, limits: { ...plan.limits, completeness: 'report' as const } }
    expect(judge(plan, 1, 1, 0, incomplete)).toBe('SOURCE_INCOMPLETE')
    expect(judge(reporting, 0, 1, 0, incomplete)).toBe('published')
    expect(judge(reporting, 1, 1, 0, incomplete)).toBe('TOO_MANY_REJECTS')
    expect(judge(plan, 0, 1, 0, incomplete, 1)).toBe('published')
    expect(judge(plan, 0, 1, 0, { ...incomplete, status: 'unprovable' })).toBe('published')
  })
})

test('the error of an incomplete source without records shows the first line', () => {
  const ledger = { lines: 2, blank: 1, rejected: 1, filtered: 0, duplicate: 0, accepted: 0, repeatedIds: 0 }
  const seen = { firstReject: 'in.ndjson, line 1: expected one JSON object on the line', rejectSamples: [] }
  expect(() => checkRun(planLimit(0), { ledger, wrongValues: noWrongValues() }, end(incomplete), null, seen)).toThrow(
    'test: expected every record of the stream once, got this: a gap; a repeat; no line is a record, the first: in.ndjson, line 1: expected one JSON object on the line',
  )
  const partly = { ...ledger, lines: 3, accepted: 1 }
  expect(() =>
    checkRun(planLimit(0), { ledger: partly, wrongValues: noWrongValues() }, end(incomplete), null, seen),
  ).toThrow(/a repeat$/)
})

test('a ledger that does not balance is a defect, not a result', () => {
  const ledger = { lines: 3, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 2, repeatedIds: 0 }
  expect(() => checkRun(planLimit(0), { ledger, wrongValues: noWrongValues() }, end(proven), null)).toThrow(
    /does not balance/,
  )
})

function planLimit(limit: number | string): PipelinePlan {
  const config = { name: 'test', source: { files: 'none', contract: 'v4/product' }, rejects: { limit } }
  return planPipeline({ ...config, tables: { products: { columns: ['id'] } } }, { env: {} })
}

/** `published`, or the code of the error. */
function judge(
  plan: PipelinePlan,
  rejected: number,
  lines: number,
  blank = 0,
  completeness = proven,
  limit: number | null = null,
): string {
  const ledger = {
    lines: lines + blank,
    blank,
    rejected,
    filtered: 0,
    duplicate: 0,
    accepted: lines - rejected,
    repeatedIds: 0,
  }
  try {
    checkRun(plan, { ledger, wrongValues: noWrongValues() }, end(completeness), limit)
    return 'published'
  } catch (error) {
    return error instanceof CatalogueError ? error.code : String(error)
  }
}

function end(completeness: Completeness) {
  return { sources: [], completeness, inputDigest: '' }
}
