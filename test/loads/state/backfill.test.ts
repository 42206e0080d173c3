import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { backfillPlan, type BackfillOptions } from '../../../src/engine/run/backfill.ts'
import { listWindows, type BackfillSpan } from '../../../src/loads/state/list-windows.ts'
import { StateFolder } from './state-folder.ts'

const day = 86_400_000
const span: BackfillSpan = {
  from: '2026-01-01',
  to: '2026-01-10',
  window: '4d',
  windowMs: 4 * day,
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-01-10T00:00:00.000Z',
}

describe('the windows of a backfill', () => {
  test('the windows of a backfill cover its span, the last one as long as is left', () => {
    const windows = listWindows(span, null).map(({ since, until }) => [since.toISOString(), until.toISOString()])
    expect(windows).toEqual([
      ['2026-01-01T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
      ['2026-01-05T00:00:00.000Z', '2026-01-09T00:00:00.000Z'],
      ['2026-01-09T00:00:00.000Z', '2026-01-10T00:00:00.000Z'],
    ])
  })

  test('the windows of a backfill continue after the last one that was published, in the span of the call that began', () => {
    const [first] = listWindows(span, null)
    const later = { ...span, until: '2026-02-01T00:00:00.000Z' }
    expect(listWindows(later, first!.progress)).toEqual(listWindows(span, null).slice(1))
  })

  test('the windows of a backfill begin anew for another span, and leave nothing at the end', () => {
    const windows = listWindows(span, null)
    expect(listWindows({ ...span, window: '4000h' }, windows[0]!.progress)).toHaveLength(3)
    expect(windows.at(-1)!.progress).toBe(null)
  })
})

describe('a backfill', () => {
  let folder: StateFolder

  beforeEach(async () => {
    folder = await StateFolder.create()
  })
  afterEach(() => folder.close())

  const fill = (changes: Partial<BackfillOptions>, retries = 0) => {
    const plan = planPipeline(folder.config({ source: { retries } }), { outDir: folder.path, env: {} })
    const options = { workers: 0, now: folder.sandbox.now, window: '400d', windowMs: 400 * day, env: {} }
    return backfillPlan(plan, { from: '2020-01-01', ...options, ...changes })
  }

  test('a backfill continues where it failed, and does not change what the next run reads', async () => {
    const { state } = await folder.run()
    folder.sandbox.advance(30)
    const windows: string[] = []
    const onWindow: BackfillOptions['onWindow'] = ({ since }, at, of) => {
      windows.push(`${at} of ${of} from ${since.toISOString().slice(0, 10)}`)
      if (windows.length === 3) folder.sandbox.inject({ endpoint: 'v4/products/stream', fault: '500' })
    }
    await expect(fill({ onWindow, until: '-1d' })).rejects.toThrow(/500/)
    const reports = await fill({ onWindow, until: '-1d' })
    const count = Number(windows[0]?.split(' ')[2])
    expect(windows.slice(0, 4).map((text) => text.split(' from ')[0])).toEqual([
      `1 of ${count}`,
      `2 of ${count}`,
      `3 of ${count}`,
      `1 of ${count - 2}`,
    ])
    expect(windows[3]?.split('from')[1]).toBe(windows[2]?.split('from')[1])
    expect(reports).toHaveLength(count - 2)
    const last = reports.at(-1)?.state
    expect(last).toMatchObject({ kind: 'delta', syncedUntil: state.syncedUntil, lastFullAt: state.lastFullAt })
    expect(last).not.toHaveProperty('backfill')
    const { updatedSince } = folder.lastFilter() as { updatedSince: { from: number; until: number } }
    expect(updatedSince.until - Math.floor((folder.sandbox.now() - day) / 1000)).toBeLessThan(60)
    // Later changes are the next run's.
    const until = new Date(folder.sandbox.now() - 1.1 * day).toISOString()
    const filled = folder.expectedRows().filter((row) => (row.meta_updated_at ?? '') < until)
    const ids = new Set<unknown>(filled.map(({ id }) => id))
    expect((await folder.rows()).filter(({ id }) => ids.has(id))).toEqual(filled)
  })

  test('a backfill covers whole days in the time zone of the pipeline, the last one included', async () => {
    const spans: string[] = []
    const plan = planPipeline(folder.config({ timezone: 'Europe/Brussels' }), { outDir: folder.path, env: {} })
    await backfillPlan(plan, {
      from: '2020-01-01',
      until: '2020-06-10',
      window: '400d',
      windowMs: 400 * day,
      workers: 0,
      now: folder.sandbox.now,
      env: {},
      onWindow: ({ since, until }) => spans.push(`${since.toISOString()} to ${until.toISOString()}`),
    })
    expect(spans).toEqual(['2019-12-31T23:00:00.000Z to 2020-06-10T21:59:59.000Z'])
  })

  test('a backfill may precede the first run, which then reads everything', async () => {
    const [report] = await fill({ window: '9000d', windowMs: 9000 * day })
    expect(report?.state).toMatchObject({ kind: 'delta', syncedUntil: null, lastFullAt: null })
    expect((await folder.rows()).length).toBe(report?.ledger.accepted)
    const next = await folder.run()
    expect(next.state.kind).toBe('full')
    expect(await folder.rows()).toEqual(folder.expectedRows())
  })

  test('a backfill publishes nothing of a window that removes more than maxRemoved allows', async () => {
    const source = { filter: { status: ['active'] } }
    await folder.run({ source })
    folder.sandbox.advance(20)
    const before = await folder.rows()
    const config = folder.config({ source, maxRemoved: 0 })
    const plan = planPipeline(config, { outDir: folder.path, env: {} })
    const options = { workers: 0, now: folder.sandbox.now, window: '9000d', windowMs: 9000 * day, env: {} }
    const filling = backfillPlan(plan, { from: '2020-01-01', ...options })
    await expect(filling).rejects.toMatchObject({ code: 'REMOVED_TOO_MANY' })
    expect(await folder.rows()).toEqual(before)
  })

  test.each([
    [{ from: 'yesterday' }, /--from: .*, got text "yesterday"$/],
    [{ from: '2026-01-02', until: '2026-01-01' }, /expected --from before --until/],
    [{ windowMs: 1000 }, /at most 10000 windows/],
  ])('a backfill of %j is refused before anything is read', async (changes, message) => {
    await expect(fill(changes)).rejects.toThrow(message)
    expect(folder.sandbox.requests).toHaveLength(0)
  })

  test.each(['merge', 'snapshot'] as const)(
    'a backfill needs a pipeline with incremental, not just %s',
    async (mode) => {
      const config = folder.config({ outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson', mode }] })
      const { incremental: _, maxRemoved: __, ...whole } = config
      const plan = planPipeline(whole, { outDir: folder.path, env: {} })
      const filling = backfillPlan(plan, { from: '2026-01-01', window: '9000d', windowMs: 9000 * day, workers: 0 })
      await expect(filling).rejects.toMatchObject({ code: 'USAGE' })
      expect(folder.sandbox.requests).toHaveLength(0)
    },
  )
})
