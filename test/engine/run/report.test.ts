import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rewriteReport } from '../../../src/engine/run/rewrite-report.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})

afterEach(() => folder.remove())

const line = (index: number, status: string, total = 3): string =>
  `${JSON.stringify({ meta: { total, index }, result: { id: `M${index}`, status } })}\n`

const good = [0, 1, 2].map((index) => line(index, 'active'))
const broken = `${good[0]}${good[1]}{"meta":{"total":3,"index":2},"result":{"id":"M2","status":{"a":"SECRET"}}}\n`
const options = { rejects: { limit: 1 } }

/** The plan of the runs of `RunFolder`. */
function plan(report?: boolean | { examples?: boolean; path?: string }) {
  return planPipeline(
    {
      name: 'products',
      source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
      tables: { products: { columns: ['id', 'status'] } },
      outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
      ...options,
      ...(report !== undefined && { report }),
    },
    { outDir: folder.out, env: forcedWorkers },
  )
}

const rewrite = (config?: Parameters<typeof plan>[0]) => {
  const { name, report, outputs } = plan(config)
  return rewriteReport(name, report, outputs, { env: forcedWorkers })
}

describe('the page that a run publishes', () => {
  it('is beside the manifest that lists it, with stages and columns with listed values', async () => {
    await folder.write('input.ndjson', good.join(''))
    const report = await folder.run()
    expect(report.report).toEqual({ path: join(folder.out, '_report.html') })
    expect(report.stages.map(({ name }) => name)).toEqual(['prepare', 'read and encode', 'finish outputs'])
    expect(report.tables).toEqual([{ name: 'products', rows: 3, filtered: 0, choices: ['status'] }])
    expect(await folder.readOut('_report.html')).toContain('3 products, none lost on the way')
  })

  it('compares the run with the one before it, whose summary is in the manifest', async () => {
    await folder.write('input.ndjson', good.slice(0, 2).join('').replaceAll('"total":3', '"total":2'))
    const { runId } = await folder.run()
    await folder.write('input.ndjson', good.join('').replace('"active"', '"archived"'))
    const { previous } = await folder.run()
    expect(previous).toMatchObject({ runId, rejected: 0, tables: [{ name: 'products', rows: 2 }] })
    const page = await folder.readOut('_report.html')
    expect(page).toContain('+1</td>')
    expect(page).toMatch(/value of status: <code>archived<\/code>/)
  })

  it('shows rejected values only with examples', async () => {
    await folder.write('input.ndjson', broken)
    await folder.run(options)
    const closed = await folder.readOut('_report.html')
    expect(closed).toContain('line 3')
    expect(closed).not.toContain('SECRET')
    await folder.run({ ...options, report: { examples: true } })
    expect(await folder.readOut('_report.html')).toContain('SECRET')
  })

  it('is kept if a run fails, and no staging file is left', async () => {
    await folder.write('input.ndjson', good.join(''))
    await folder.run()
    const before = await folder.snapshot()
    await folder.write('input.ndjson', good.slice(0, 2).join(''))
    expect(await folder.fail()).toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    expect(await folder.snapshot()).toEqual(before)
  })

  it('is removed by a run with report: false, and has the configured path', async () => {
    await folder.write('input.ndjson', good.join(''))
    await folder.run()
    const { report } = await folder.run({ report: false })
    expect(report).toBeUndefined()
    expect(Object.keys(await folder.snapshot())).not.toContain('_report.html')
    await folder.run({ report: { path: 'out/pages/{pipeline}.html' } })
    expect(Object.keys(await folder.snapshot())).toContain(join('pages', 'products.html'))
  })
})

describe('the page of a run that publishes nothing', () => {
  const page = '_report.failed.html'
  const rule = { column: 'status', in: ['inactive'], severity: 'error' as const }

  it.each([
    {
      why: 'a broken rule',
      code: 'RULE_BROKEN',
      input: good.join(''),
      changes: { expect: [rule] },
      told: '<b>1</b> of 1 rule',
    },
    {
      why: 'rejects',
      code: 'TOO_MANY_REJECTS',
      input: broken,
      changes: { rejects: { limit: 0 } },
      told: '<b>1</b> of 3 lines',
    },
    { why: 'a gap', code: 'SOURCE_INCOMPLETE', input: good[0], changes: {}, told: '2 records are missing' },
    {
      why: 'removals',
      code: 'REMOVED_TOO_MANY',
      input: line(0, 'a', 1),
      changes: { maxRemoved: 0 },
      told: '1 would be left',
    },
  ])(
    'explains the failure beside the published page, which is kept: $why',
    async ({ code, input = '', changes, told }) => {
      await folder.write('input.ndjson', good.join(''))
      await folder.run({ maxRemoved: 0 })
      const published = await folder.readOut('_report.html')
      await folder.write('input.ndjson', input)
      const error = await folder.fail({ ...changes })
      expect(error).toMatchObject({ code, outputs: expect.stringContaining(join(folder.out, page)) as string })
      expect(await folder.readOut('_report.html')).toBe(published)
      const text = await folder.readOut(page)
      expect(text).toMatch(
        /<header class="bad">[^]*<h1>[^]*: nothing was saved, the outputs are as they were<[^]*What to try:[^]*<ul class="todo">/,
      )
      expect(text).toContain(told)
      expect(text).not.toMatch(/SECRET|none lost on the way|saved </)
    },
  )

  it('is removed by the next run that publishes', async () => {
    await folder.write('input.ndjson', good[0]!)
    await folder.fail()
    expect(await folder.listOut()).toEqual([page])
    await folder.write('input.ndjson', good.join(''))
    await folder.run()
    expect(await folder.listOut()).not.toContain(page)
  })

  it('is named like the published page with `.failed`, and is not written with report: false', async () => {
    await folder.write('input.ndjson', good[0]!)
    const { outputs } = (await folder.fail({ report: false })) ?? {}
    expect(outputs).toBe('Nothing was saved; the earlier outputs are as they were.')
    await folder.fail({ report: { path: 'out/pages/{pipeline}.html' } })
    expect(await folder.listOut()).toEqual(['pages'])
    expect(await readdir(join(folder.out, 'pages'))).toEqual(['products.failed.html'])
  })

  it('shows the message with its values only with examples', async () => {
    await folder.write('input.ndjson', broken)
    await folder.fail({ rejects: { limit: 0 } })
    expect(await folder.readOut(page)).not.toContain('SECRET')
    await folder.fail({ rejects: { limit: 0 }, report: { examples: true } })
    expect(await folder.readOut(page)).toContain('SECRET')
  })
})

describe('report CONFIG', () => {
  it('writes the same bytes again, from manifest, profile and rejects', async () => {
    await folder.write('input.ndjson', broken)
    for (const report of [true, { examples: true }]) {
      await folder.run({ ...options, report })
      const page = await folder.readOut('_report.html')
      await rm(join(folder.out, '_report.html'))
      const { path } = await rewrite(report)
      expect(path).toBe(join(folder.out, '_report.html'))
      expect(await folder.readOut('_report.html')).toBe(page)
    }
  })

  it('leaves out missing files and says so', async () => {
    await folder.write('input.ndjson', broken)
    await folder.run(options)
    await rm(join(folder.out, '_rejects.ndjson'))
    await rm(join(folder.out, '_profile.json'), { force: true })
    const { notes } = await rewrite()
    expect(notes).toEqual([
      expect.stringMatching(/^without the profile: /),
      `without examples of rejects: there is no file "${join(folder.out, '_rejects.ndjson')}"`,
    ])
    expect(await folder.readOut('_report.html')).toContain('1 rejected')
  })

  it('leaves out the rejects of a later failed run', async () => {
    await folder.write('input.ndjson', good.join(''))
    await folder.run(options)
    const page = await folder.readOut('_report.html')
    await folder.write('input.ndjson', broken)
    await folder.fail({ rejects: { limit: 0 } })
    await rewrite()
    expect(await folder.readOut('_report.html')).toBe(page)
  })

  it('fails if nothing is published, or if the manifest is invalid', async () => {
    await expect(rewrite()).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND' })
    await folder.write('input.ndjson', good.join(''))
    await folder.run()
    await folder.write('out/_manifest.json', '{"pipeline":"products","configHash":"","files":[]}')
    await expect(rewrite()).rejects.toMatchObject({ code: 'STATE_INVALID' })
  })
})
