import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import { Observation } from '../../../src/engine/observe/observe-run.ts'
import type { EndedStage, FinishedRun, RunObserver, StartedRun } from '../../../src/engine/observe/run-observer.ts'
import { runPlan } from '../../../src/engine/run/run-pipeline.ts'
import { toCatalogueError } from '../../../src/errors.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B']))
})
afterEach(() => folder.remove())

test('an observer gets the start, each stage in its order, and the report of a published run', async () => {
  const log = new Log()
  const { end, plan } = await observe([log])
  expect(log.pipelines).toEqual([plan.name])
  expect(log.stages.map(({ name }) => name)).toEqual(['prepare', 'read and encode', 'finish outputs', 'publish'])
  for (const [at, { from, until }] of log.stages.entries()) {
    expect(from).toBeLessThanOrEqual(until)
    expect(from).toBe(log.stages[at - 1]?.until ?? from)
  }
  expect(log.ends).toEqual([end])
  expect(end).toMatchObject({ outcome: 'published', report: { ledger: { accepted: 2 } } })
})

test('an observer gets what a refused run has judged, and only the error of a run that could not read', async () => {
  const refused = await observe([], { expect: [{ column: 'id', in: ['A'], severity: 'error' }] })
  expect(refused.end).toMatchObject({
    outcome: 'failed',
    error: { code: 'RULE_BROKEN' },
    report: { rules: [{ result: 'broken', count: 1 }], files: [], failure: { code: 'RULE_BROKEN' } },
  })
  const missing = await observe([], { source: { files: 'none.ndjson', contract: 'v4/product' } })
  expect(missing.end).toMatchObject({ outcome: 'failed', error: { code: 'SOURCE_NOT_FOUND' }, report: null })
})

test('an observer that throws at every call becomes one warning of a published run', async () => {
  const failing = {
    name: 'Broken',
    hasSent: false,
    started: fail('start'),
    stage: fail('stage'),
    finished: fail('end'),
  }
  const log = new Log()
  const { end, warnings } = await observe([failing, log])
  expect(end.outcome).toBe('published')
  expect(warnings).toEqual(['Broken: nothing was sent: no start'])
  expect(log.ends).toHaveLength(1)
})

test('observers that never answer are left after two seconds in all, with their signal aborted', async () => {
  const signals: AbortSignal[] = []
  const never = new Promise<void>(() => undefined)
  const hanging: RunObserver[] = [
    { name: 'No start', hasSent: false, started: () => never },
    { name: 'No end', hasSent: true, finished: (_, signal) => (signals.push(signal), never) },
  ]
  const { end, warnings, finishMs } = await observe(hanging)
  expect(end.outcome).toBe('published')
  expect(finishMs).toBeGreaterThan(1900)
  expect(finishMs).toBeLessThan(8000)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  const reason = 'was sent: no answer within 2 s after the end of the run'
  expect(warnings).toEqual([`No start: nothing ${reason}`, `No end: not everything ${reason}`])
})

function fail(what: string): () => never {
  return () => {
    throw new Error(`no ${what}`)
  }
}

/** Runs a small pipeline as `observeRun` does, with these observers. */
async function observe(observers: readonly RunObserver[], changes: Partial<PipelineConfig> = {}) {
  const config = {
    name: 'products',
    source: { files: `${folder.path}/input.ndjson`, contract: 'v4/product' },
    tables: { products: { columns: ['id'] } },
    outputs: [{ format: 'csv', path: 'out/{table}.csv' }],
    ...changes,
  } satisfies PipelineConfig
  const plan = planPipeline(config, { outDir: folder.out })
  const warnings: string[] = []
  const observation = new Observation(observers, (message) => warnings.push(message))
  observation.start(plan)
  const end = await runPlan(plan, { observation }).then(
    (report): FinishedRun => ({ outcome: 'published', report, finishedAt: new Date() }),
    (thrown: unknown): FinishedRun => {
      const error = toCatalogueError(thrown)
      return { outcome: 'failed', error, report: observation.refused, finishedAt: new Date() }
    },
  )
  const endedAt = Date.now()
  await observation.finish(end)
  return { plan, end, warnings, finishMs: Date.now() - endedAt }
}

class Log implements RunObserver {
  readonly name = 'Log'
  readonly hasSent = true
  readonly pipelines: string[] = []
  readonly stages: EndedStage[] = []
  readonly ends: FinishedRun[] = []

  started({ plan }: StartedRun): void {
    this.pipelines.push(plan.name)
  }

  stage(stage: EndedStage): void {
    this.stages.push(stage)
  }

  finished(end: FinishedRun): void {
    this.ends.push(end)
  }
}
