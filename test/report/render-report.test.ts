import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { renderReport as renderText } from '../../src/cli/render/render-report.ts'
import { colorsFor } from '../../src/cli/terminal.ts'
import { renderReport } from '../../src/report/render-report.ts'
import { createHostileRun, createLargeRun, createPlainRun, plainIds, hostile, secret } from './sample-run.ts'

const { manifest, profile, rejects } = createHostileRun()

/** The titles of its parts, and of those in the last fold, which are of a lower level. */
function listTitles(page: string): string[] {
  return [...page.matchAll(/<h2[^>]*>([^<]*)<\/h2>|<h3 id[^>]*>([^<]*)<\/h3>/g)].map(
    ([, title, lower]) => title ?? `- ${lower}`,
  )
}

/** The text of the section on what is complete. */
function readCoverage(examples: boolean): string {
  const page = renderReport(manifest, profile, { examples })
  const [, section = ''] = /<section id="coverage"([^]*?)<\/section>/.exec(page) ?? []
  return section.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('the page of a run', () => {
  it('cuts long names of brands between two characters', () => {
    const value = `${'a'.repeat(59)}${'🍃'.repeat(200)}`
    const [status, brands] = profile.coverage ?? []
    const groups = [{ value, rows: 60, filled: [30, 15] }]
    const page = renderReport(manifest, { ...profile, coverage: [status!, { ...brands!, groups }] }, { examples: true })
    expect(page).toContain(`<th scope="row">${'a'.repeat(59)}…<small>60</small></th>`)
  })

  it('shows every part in its order, what is to do first, and folds what nobody has to read', () => {
    const page = renderReport(manifest, profile, { rejects })
    expect(listTitles(page)).toEqual([
      'The data at a glance',
      'What is complete',
      'Rules on the rows',
      'Rejects by reason',
      'Missing codes',
      'Wrong values',
      'Unexpected',
      'The source is not complete',
      'Since the run before',
      'Tables and columns (1 table, 7 columns)',
      'Languages',
      'Proof, files and times (110 lines, 1 file, 2.0 s)',
      '- Where every line went',
      '- Files and databases',
      '- The service',
      '- Time',
      '- This run',
    ])
    const told = [
      '100 of 109 products, 3 left out by conditions, 2 left out as repeated, 4 rejected; 2 things are wrong, 9 to look at',
      'the source is not complete: 2 records are missing, index 7, 9',
      '<b>1</b> of 3 rules is broken',
      '<h2',
    ].map((text) => page.indexOf(text))
    expect(told).toEqual(told.filter((at) => at > 0).toSorted((one, other) => one - other))
  })

  it('leaves out every part that has nothing to show', () => {
    const page = renderReport(createPlainRun(), null)
    expect(listTitles(page)).toEqual([
      'Tables and columns (1 table, 0 columns)',
      'Proof, files and times (2 lines, 12 ms)',
      '- Nothing missing',
      '- Where every line went',
      '- This run',
    ])
    expect(page).toContain('<span>2 products, none lost on the way</span>')
    expect(page).toContain('There is no profile of this run')
  })

  it('tells broken rules, emptied values and missing codes first, each with its number and a link', () => {
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
      '2 products, none lost on the way; 3 things to look at',
      '<b>1</b> of 1 rule is broken',
      '<a href="#rules">',
      '<b>33</b> of 300 codes not found',
      '<a href="./_missing.csv">_missing.csv ',
      '<b>651</b> values of a wrong type, now empty: weight 600×, volume 51×',
      '<a href="#values">',
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

  it('draws prices, the last change, lists and filled cells of the first table, if the profile has them', () => {
    const page = renderReport(manifest, profile)
    const [, glance = ''] = /<section id="glance"([^]*?)<\/section>/.exec(page) ?? []
    const pictures = [...glance.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)
    expect(pictures).toEqual([
      'How many have which price: from cents · 5 % up to 1.05, half up to 1,234.50, 95 % up to 8,000.00',
      'How many have which updated_at: half since 2025-03-04 · 10 % empty',
      'How many photos a row has: 40 rows have none',
      expect.stringMatching(/^Filled cells by column of .*: 3 of 7 columns full · 1 without any value \(seen\)$/),
    ])
    expect(glance).toContain('<title>0.05 to 1,000.00: 30</title>')
    expect(glance).toContain('<title>2025-03 to 2025-04: 80</title>')
    expect(glance).toContain('<title>3 or more: 10</title>')
    const { tables, localized, ...others } = profile
    const [first] = tables
    const bare = first!.columns.map((column) => ({ ...column, histogram: undefined }))
    const without = { ...others, localized, tables: [{ ...first!, columns: bare }], coverage: [], listLengths: [] }
    expect(renderReport(manifest, without)).not.toMatch(/class="cards"|How many|What is complete|class="spark"/)
  })

  it('shows what is complete by listed values, and by names in the data only if values may be shown', () => {
    expect(readCoverage(false)).toContain(
      'By status Dutch name packshot active 90 100 % 50 % (none) 1,000 0 % &gt; 99 %',
    )
    expect(readCoverage(false)).not.toContain(secret)
    expect(readCoverage(true)).toContain(`${secret} 60 50 % 25 % 7 others 400 75 % &lt; 1 %`)
  })

  it('lists the columns of a table worst filled first, with small histograms of those whose bounds may be shown', () => {
    const page = renderReport(manifest, profile)
    const [, tables = ''] = /<div class="tables">([^]*?)<\/table>/.exec(page) ?? []
    const names = [...tables.matchAll(/<th scope="row"><code>([^<]*)/g)].map(([, name]) => name)
    expect(names).toEqual(['seen', 'deleted', expect.stringContaining('column'), 'updated_', 'status', 'id', 'price'])
    expect(tables.match(/class="spark"/g)).toHaveLength(2)
  })

  it('begins, if nothing was saved, with what happened, what became of the outputs and what to try', () => {
    const failure = {
      code: 'RULE_BROKEN',
      title: 'The rows break a rule',
      message: secret,
      fix: 'Set `severity: warn`.',
    }
    const page = renderReport({ ...manifest, failure }, profile)
    const [, head = ''] = /<header([^]*?)<ul/.exec(page) ?? []
    expect(head).toContain('The rows break a rule: nothing was saved, the outputs are as they were')
    expect(head).toContain('<b>What to try:</b> Set <code>severity: warn</code>.')
    expect(page).not.toContain(secret)
    expect(renderReport({ ...manifest, failure }, profile, { examples: true })).toContain(secret)
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

  it('begin with the same sentence and the same problems', () => {
    const { page, text } = tell({ ledger: manifest.ledger, rules: manifest.rules, rejects: { path: 'r', count: 4 } })
    const plainPage = page.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
    const told = text.split('\n').filter((line) => /^\S|^ {2}[✗!]/.test(line))
    expect(told).toHaveLength(3)
    for (const line of told) {
      const words = line.replace(/^plain {2}| {2}[✗!] /, '')
      expect(plainPage).toContain(words)
    }
    expect(text).not.toMatch(/\b0 (?:rejected|filtered|blank)/)
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
      ' not found, 1 bad, each with its line in ',
      'the newest versions of 2 records were rejected: older rows stay; the next run requests them by id',
    ]) {
      // Once in its row, once in the section.
      expect(page.split(told)).toHaveLength(3)
      expect(text.replaceAll(/\n +/g, ' ')).toContain(told)
    }
  })
})
