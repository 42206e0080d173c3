import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(async () => {
  await folder.remove()
})

const volume = (text: string) =>
  folder.config('p', 'in', `outputs: [{ format: csv }]\nmaxRemoved: 100%\nexpectVolume: ${text}\n`)

/** Runs a night over so many brands. */
async function night(config: string, records: number, ...args: string[]) {
  await folder.generate('in', 'v4/brand', records)
  const { exitCode, stdout, stderr } = await runInMemory(['run', config, '--out', folder.out, '--json', ...args])
  const [run] = (JSON.parse(stdout) as { runs: { report?: { rules?: object[] } }[] }).runs
  return { exitCode, stderr, rules: run?.report?.rules?.map((rule) => ('result' in rule ? rule.result : null)) }
}

async function readRuns(): Promise<{ outcome: string; rules?: { broken: object[] } }[]> {
  const text = await readFile(`${folder.out}/p/_runs.ndjson`, 'utf8')
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as { outcome: string })
}

describe('expectVolume', () => {
  test('refuses a night with another number of records than those before, and is settled by one run that accepts it', async () => {
    const config = await volume('{ within: ±20%, severity: error }')
    for (const records of [100, 101, 99])
      expect(await night(config, records)).toMatchObject({ exitCode: 0, rules: ['unjudged'] })
    expect(await night(config, 120)).toMatchObject({ exitCode: 0, rules: ['kept'] })
    const before = await folder.readOutputs()
    const refused = await night(config, 200)
    expect(refused.exitCode).toBe(3)
    expect(refused.stderr).toContain('RULE_BROKEN')
    expect(refused.stderr).toContain(
      'brands: expected 81 to 120 records (±20% of 100.5, the median of the last 4 published runs), got 200 records',
    )
    expect(refused.stderr).toContain('Try: Check that the source holds what it should.')
    expect(refused.stderr).toContain('`--set expectVolume.severity=warn`')
    const { 'p/_report.failed.html': page, ...after } = await folder.readOutputs()
    expect(page).toContain('got 200 records')
    expect(after).toEqual(before)
    expect(await night(config, 200)).toMatchObject({ exitCode: 3 })
    expect(await night(config, 200, '--set', 'expectVolume.severity=warn')).toMatchObject({
      exitCode: 0,
      rules: ['broken'],
    })
    expect(await night(config, 205)).toMatchObject({ exitCode: 0, rules: ['kept'] })
    expect(await night(config, 100)).toMatchObject({ exitCode: 3 })
    const runs = await readRuns()
    expect(runs.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 4 }, () => 'published'),
      'RULE_BROKEN',
      'RULE_BROKEN',
      'published',
      'published',
      'RULE_BROKEN',
    ])
    // A refused run has no records of its own, so the rule says what was found.
    expect(runs[4]?.rules?.broken).toEqual([
      {
        table: 'brands',
        rule: 'volume',
        severity: 'error',
        count: 0,
        records: { found: 200, lowest: 81, highest: 120 },
      },
    ])
  }, 60_000)

  test('is neither checked by a sample, nor compared with one', async () => {
    const config = await volume('{ within: 20%, severity: error }')
    for (const records of [50, 50, 50]) await night(config, records)
    for (const _ of [1, 2, 3, 4])
      expect(await night(config, 50, '--limit', '5')).toMatchObject({ exitCode: 0, rules: ['unjudged'] })
    expect(await night(config, 50)).toMatchObject({ exitCode: 0, rules: ['kept'] })
  }, 60_000)

  test('says in the first nights why there is no verdict', async () => {
    await folder.generate('in', 'v4/brand', 5)
    const { stderr } = await runInMemory(['run', await volume('20%'), '--out', folder.out])
    expect(stderr).toContain('  · not judged: volume: 0 published runs before it, of 3 that are needed\n')
  })

  test('publishes and warns by default, in the terminal, on the page, in metrics', async () => {
    const config = await volume('20%')
    for (const records of [50, 50, 50]) await night(config, records)
    await folder.generate('in', 'v4/brand', 100)
    const { exitCode, stderr } = await runInMemory(['run', config, '--out', folder.out])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('1 of 1 rule is broken')
    expect(stderr).toContain('brands: expected 40 to 60 records')
    expect(await readFile(`${folder.out}/p/_report.html`, 'utf8')).toContain('40 to 60 records (±20% of 50')
  }, 60_000)

  test('a page that is written again is the same, also after later runs that failed', async () => {
    const config = await volume('{ within: 20%, severity: error }')
    for (const records of [50, 51, 50, 52]) await night(config, records)
    await night(config, 500)
    const page = await readFile(`${folder.out}/p/_report.html`, 'utf8')
    expect(page).toMatch(/4 of the last 4 runs went well/)
    expect(page).toContain('<polyline points="')
    expect((await runInMemory(['run', config, '--page-only', '--out', folder.out])).exitCode).toBe(0)
    expect(await readFile(`${folder.out}/p/_report.html`, 'utf8')).toBe(page)
  }, 60_000)

  test.each([
    '20%',
    '20 %',
    '± 20 %',
    '+/-20%',
    '+- 2.5%',
    '0.2',
    '{ within: 99.9% }',
    '{ within: "±7%", severity: warn }',
  ])('may be %s', async (text) => {
    expect(await runInMemory(['check', await volume(text)])).toMatchObject({ exitCode: 0 })
  })

  test.each([
    ['20', 'expected a share between 0% and 100%, such as 20% or ±20%'],
    ['-20%', 'expected a share between 0% and 100%, such as 20% or ±20%'],
    ['±0%', 'expected a share between 0% and 100%, such as 20% or ±20%, or an object, got text "±0%"'],
    ['0.0 %', 'between 0% and 100%'],
    ['"0.0"', 'between 0% and 100%'],
    ['100%', 'a share between 0% and 100%, such as 20% or ±20%, or an object, got text "100%"'],
    ['{ within: 300% }', 'a share between 0% and 100%, such as 20% or ±20%, got text "300%"'],
    ['{ severity: error }', 'missing key "within", expected a share between 0% and 100%, such as 20% or ±20%'],
    ['{ min: 100 }', 'missing key "within", expected a share between 0% and 100%, such as 20% or ±20%'],
    ['20%\nruns: false', 'expected true, as expectVolume compares a run with those before it, got false'],
  ])('may not be %s', async (text, message) => {
    const { exitCode, stderr } = await runInMemory(['check', await volume(text)])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) })
  })
})
