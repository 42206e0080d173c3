import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { renderReport as renderText } from '../../src/cli/render/render-report.ts'
import { colorsFor } from '../../src/cli/terminal.ts'
import { renderReport } from '../../src/report/render-report.ts'
import { createHostileRun, createLargeRun, createPlainRun, plainIds, hostile, secret } from './sample-run.ts'

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
    const told = [
      'Published, though something is wrong',
      'the stream is incomplete: 2 records are missing, index 7, 9',
      '1 of 3 rules is broken',
      'Published, though the stream is incomplete: 100 of 109 lines are published, 4 rejected',
      '<h2',
    ].map((text) => page.indexOf(text))
    expect(told).toEqual(told.filter((at) => at > 0).toSorted((one, other) => one - other))
  })

  it('leaves out every part that has nothing to show', () => {
    const page = renderReport(createPlainRun(), null)
    expect(listTitles(page)).toEqual([
      'Where every line went',
      'Completeness: proven',
      'Tables and columns',
      'This run',
    ])
    expect(page).toContain('Proven complete: all 2 lines are published')
    expect(page).toContain('There is no profile of this run')
  })

  it('tells broken rules, nulled values and missing codes before it calls the stream complete', () => {
    const plain = createPlainRun()
    const page = renderReport(
      {
        ...plain,
        drift: { ...plain.drift, invalidValues: { weight: { [secret]: 600 }, volume: { x: 51 } } },
        rules: [
          {
            table: 'products',
            rule: 'rows',
            severity: 'warn',
            result: 'broken',
            expected: 'at least 10 rows',
            count: 0,
            found: '2 rows',
          },
        ],
        missingIds: { path: '_missing.csv', rows: 33, bytes: 1, sha256: '', notFound: 33, bad: 0 },
        sourceIds: { ...plainIds, file: 'codes.csv', identifiers: 300 },
      },
      null,
    )
    const told = [
      '<header class="look">',
      'Published, with 3 things to look at',
      '1 of 1 rule is broken',
      '33 of 300 codes not found',
      '651 values of a wrong type, now null: weight 600×, volume 51×',
      'Proven complete: all 2 lines are published',
    ].map((text) => page.indexOf(text))
    expect(told).toEqual(told.filter((at) => at > 0).toSorted((one, other) => one - other))
    expect(page).not.toContain(secret)
    expect(renderReport(plain, null)).toContain('<header class="good">')
  })

  it('escapes every name that comes from outside, in text and in attributes', () => {
    const page = renderReport(manifest, profile, { examples: true, rejects })
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>"/)
    expect(page).not.toContain(hostile)
    expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u)
    expect(page).toContain('\\u{0}\\u{1b}[31m\\u{202e}')
  })

  it('shows values of records only if the config allows it, except code lists and some bounds', () => {
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

describe('the page and the terminal', () => {
  const colors = colorsFor(new PassThrough(), {})

  function tell(changes: Partial<typeof manifest>): { readonly page: string; readonly text: string } {
    const run = { ...createPlainRun(), ...changes, stages: [], format: 1 }
    return { page: renderReport(run, null), text: renderText(run, colors) }
  }

  it('count a workbook with several tables as one file', () => {
    const [file] = manifest.files
    const sheet = { ...file!, format: 'xlsx' as const, path: 'out/book.xlsx', bytes: 200_000 }
    const { page, text } = tell({ files: ['products', 'photos'].map((table) => ({ ...sheet, table })) })
    expect(page).toContain('<p>1 xlsx file (200.0 kB)</p>')
    expect(text).toContain('files     1 xlsx (0.2 MB) in out')
  })

  it('say that a replay read rejects, and do not call other codes missing', () => {
    const asked = { field: 'updatedAt', since: '2026-01-02T03:04:05.006Z', until: '2026-01-02T03:04:05.006Z' }
    const { page, text } = tell({
      state: { ...manifest.state!, kind: 'delta', asked },
      replayed: { path: 'fixed.ndjson', lines: 3 },
      missingIds: manifest.missingIds,
    })
    expect(page).toContain('Read was the rejects of the last run.')
    expect(text).toContain('read      the rejects of the last run\n')
    expect(page + text).not.toContain('not found')
  })

  it('use the same words for missing codes and for stale records', () => {
    const { state, missingIds } = manifest
    const { page, text } = tell({ state, missingIds: { ...missingIds!, path: '_missing.csv' } })
    for (const told of [
      '1 not found, 1 bad, each with its line in ',
      'the newest versions of 2 records were rejected: older rows stay; the next run requests them by id',
    ]) {
      // Once in the verdict, once in the section.
      expect(page.split(told)).toHaveLength(3)
      expect(text.replaceAll(/\n +/g, ' ')).toContain(told)
    }
  })
})
