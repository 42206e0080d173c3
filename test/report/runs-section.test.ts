import { describe, expect, it } from 'vitest'
import { listFindings } from '../../src/report/facts.ts'
import { renderReport } from '../../src/report/render-report.ts'
import { createHostileRun, createPastRuns, createPlainRun } from './sample-run.ts'

const plain = createPlainRun()

/** The text of the section on the last runs. */
function readSection(runs: ReturnType<typeof createPastRuns>): string {
  const [, section = ''] = /<section id="runs"([^]*?)<\/section>/.exec(renderReport(plain, null, { runs })) ?? []
  return section.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('the last runs on the page', () => {
  it('are left out for a first run, and without a history', () => {
    expect(readSection([])).toBe('')
    expect(readSection(createPastRuns(1))).toBe('')
  })

  it('are counted by outcome, with those that failed just before', () => {
    expect(readSection(createPastRuns(4))).toContain('4 of the last 4 runs went well.')
    const runs = createPastRuns(30)
    expect(readSection(runs)).toContain('27 of the last 30 runs went well. Failed: 1 ×')
    expect(readSection(runs)).toContain('2 × SOURCE_ FAILED .')
    expect(readSection(runs)).not.toContain('just before')
    expect(readSection(createPastRuns(26))).toContain('1 run just before this one failed.')
  })

  it('are sixty at most', () => {
    expect(readSection(createPastRuns(200))).toContain('of the last 60 runs went well')
  })

  it('have trends of published runs only, without samples', () => {
    const [first, ...others] = createPastRuns(4)
    const sample = { ...first!, kind: 'sample' as const, records: 1 }
    const failed = { ...first!, outcome: 'SOURCE_FAILED', records: 2 }
    expect(readSection([first!, sample, failed, ...others])).toContain('Records 1,003 1,000 to 1,003')
    expect(readSection([first!, { ...others[0]!, records: 1000 }])).toContain('Records 1,000 always 1,000')
  })

  it('keep the page below 200 kB, and the same text for the same runs', () => {
    const { manifest, profile, rejects } = createHostileRun()
    const render = () => renderReport(manifest, profile, { examples: true, rejects, runs: createPastRuns(400) })
    expect(Buffer.byteLength(render())).toBeLessThan(200_000)
    expect(render()).toBe(render())
  })
})

describe('what is unexpected for the first time', () => {
  const drift = {
    ...plain.drift,
    unknownFields: { old: 2, colour: 3 },
    unknownValues: { status: { odd: 4, known: 1 } },
  }
  const names = { otherLocales: [], oddCodes: [], nullElements: [], invalidValues: [], duplicateKeys: [] }
  const before = { unknownFields: ['old'], unknownValues: { status: ['known'] }, ...names }
  const previous = { runId: plain.runId, finishedAt: plain.finishedAt, rejected: 0, tables: [], drift: before }

  it('is said first, apart from what the run before had', () => {
    const rejects = { path: 'r', count: 1 }
    const texts = listFindings({ ...plain, drift, previous, rejects }).map(({ text }) => text)
    expect(texts).toEqual([
      '7 times something unexpected that the run before did not have: status = "odd" 4×, field colour 3×',
      '1 of 2 lines is rejected, each with its reason in r',
      '3 times something unexpected: field old 2×, status = "known" 1×',
    ])
  })

  it('is nothing in a first run, and in one with the same drift', () => {
    expect(listFindings({ ...plain, drift }).map(({ kind, count }) => [kind, count])).toEqual([['drift', 10]])
    const same = {
      ...previous,
      drift: { ...before, unknownFields: ['old', 'colour'], unknownValues: { status: ['odd', 'known'] } },
    }
    expect(listFindings({ ...plain, drift, previous: same }).map(({ kind }) => kind)).toEqual(['drift'])
  })
})
