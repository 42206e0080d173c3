import { describe, expect, it } from 'vitest'
import type { ReportManifest } from '../../src/report/report-manifest.ts'
import { renderReport } from '../../src/report/render-report.ts'
import { createHostileRun, createLargeRun, hostile, secret } from './sample-run.ts'

const { manifest, profile, rejects } = createHostileRun()

function listTitles(page: string): string[] {
  return [...page.matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(([, title = '']) => title)
}

describe('the page of a run', () => {
  it('shows every part in its order, and the verdict first', () => {
    const page = renderReport(manifest, profile, { rejects })
    expect(listTitles(page)).toEqual([
      'Where every line went',
      'Completeness: incomplete',
      'Rules on the rows',
      'Since the run before',
      'Tables and columns',
      'Locales',
      'Rejects by reason',
      'Beyond the contract',
      'Missing codes',
      'Files and databases',
      'The service',
      'Time',
      'This run',
    ])
    const verdict = 'Published, though the stream is incomplete: 100 of 109 lines are published, 4 rejected'
    expect(page.indexOf(verdict)).toBeGreaterThan(0)
    expect(page.indexOf(verdict)).toBeLessThan(page.indexOf('<h2'))
  })

  it('leaves out every part that has nothing to show', () => {
    const plain: ReportManifest = {
      pipeline: 'plain',
      runId: manifest.runId,
      tool: manifest.tool,
      contract: manifest.contract,
      configHash: manifest.configHash,
      inputDigest: manifest.inputDigest,
      startedAt: manifest.startedAt,
      finishedAt: manifest.finishedAt,
      durationMs: 12,
      sources: [{ name: 'a.ndjson', lines: 2, bytes: 90, completeness: { status: 'proven', reasons: [], total: 2 } }],
      ledger: { lines: 2, blank: 0, rejected: 0, filtered: 0, duplicate: 0, accepted: 2, repeatedIds: 0 },
      completeness: { status: 'proven', reasons: [], total: 2 },
      drift: {
        unknownFields: {},
        unknownValues: {},
        otherLocales: {},
        oddCodes: {},
        nullElements: {},
        invalidValues: {},
        duplicateKeys: {},
      },
      tables: [{ name: 'products', rows: 2, filtered: 0 }],
      files: [],
      rejects: { path: '_rejects.ndjson', count: 0 },
      manifest: '_manifest.json',
    }
    const page = renderReport(plain, null)
    expect(listTitles(page)).toEqual([
      'Where every line went',
      'Completeness: proven',
      'Tables and columns',
      'This run',
    ])
    expect(page).toContain('Proven complete: all 2 lines are published')
    expect(page).toContain('There is no profile of this run')
  })

  it('escapes every name that comes from outside, in text and in attributes', () => {
    const page = renderReport(manifest, profile, { examples: true, rejects })
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>"/)
    expect(page).not.toContain(hostile)
    expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u)
    expect(page).toContain('\\u{0}\\u{1b}[31m\\u{202e}')
  })

  it('shows values of records only where the config takes them in, code lists and some bounds apart', () => {
    const closed = renderReport(manifest, profile, { rejects })
    expect(closed).not.toContain(secret)
    expect(closed).not.toContain('700001')
    expect(closed).toContain('<q>0.05</q> to <q>99.95</q>')
    expect(closed).toContain('<li>true <b>73</b></li>')
    expect(closed).toMatch(/status<\/code>[^]*?onerror/)
    const open = renderReport(manifest, profile, { examples: true, rejects })
    expect(open).toContain(secret)
    expect(open).toContain('700001')
  })

  it('marks the wrong value of a rejected line with a caret below its first character', () => {
    const page = renderReport(manifest, profile, { examples: true, rejects })
    const [, before = '', indent = ''] = /<pre[^>]*>([^<]*)<mark>[^]*?<span aria-hidden="true">( *)\^/.exec(page) ?? []
    const shown = before.replaceAll(/&[^;]+;/g, '&')
    expect(shown.length).toBe(indent.length)
    expect(indent.length).toBeGreaterThan(10)
  })

  it('is below 200 kB for every table of v4 products with all values, and says what it leaves out', () => {
    const large = createLargeRun()
    expect(large.manifest.tables).toHaveLength(23)
    for (const examples of [false, true]) {
      const page = renderReport(large.manifest, large.profile, { examples })
      expect(Buffer.byteLength(page)).toBeLessThan(200_000)
      for (const { name } of large.manifest.tables) expect(page).toContain(`Columns of ${name}\n`)
    }
  })

  it('is below 200 kB for thousands of columns, files and kinds of drift, and says how many it leaves out', () => {
    const { manifest: small, profile: some } = createLargeRun()
    const many = Array.from({ length: 5000 }, (_, at) => at)
    const counts = Object.fromEntries(many.map((at) => [`field_number_${at}`, at]))
    const [file] = small.files
    const page = renderReport(
      {
        ...small,
        drift: { ...small.drift, unknownFields: counts, unknownValues: { status: counts }, oddCodes: { cnk: counts } },
        files: many.flatMap((at) => (file === undefined ? [] : [{ ...file, path: `out/part-${at}.csv` }])),
        rejects: {
          path: 'r',
          count: 9999,
          reasons: many.map((at) => ({ code: 'invalid_type', path: `field_${at}`, count: 1, expected: 'a number' })),
        },
      },
      { ...some, tables: [...some.tables, ...some.tables].map((each, at) => ({ ...each, name: `t${at}` })) },
      { examples: true },
    )
    expect(Buffer.byteLength(page)).toBeLessThan(200_000)
    expect(page).toMatch(/[\d,]+ more files are in the manifest/)
    expect(page).toMatch(/[\d,]+ more fields are in the manifest/)
  })

  it('is the same text for the same manifest and profile', () => {
    const first = renderReport(manifest, profile, { examples: true, rejects })
    const again = createHostileRun()
    expect(renderReport(again.manifest, again.profile, { examples: true, rejects: again.rejects })).toBe(first)
  })
})
