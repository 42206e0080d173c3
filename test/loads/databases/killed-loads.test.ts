import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseOutputPlan, DatabaseTarget } from '../../../src/loads/databases/database-output.ts'
import { listTargetColumns } from '../../../src/loads/databases/load-statements.ts'
import { cases } from '../../depth.ts'
import { buildChild } from '../../built-child.ts'
import type { ChildLoad } from './killed-load-child.ts'
import { LoadModel, modelTables, toRows } from './load-model.ts'
import { loadRows } from './load-rows.ts'
import { nightlyLoad, nightlyRecords, type LoadPhase } from './nights.ts'
import { readLines, startDatabase, testedFormats } from './targets.ts'

const kills: readonly { killAt: LoadPhase; killAfterMs: number }[] = [
  { killAt: 'start', killAfterMs: 40 },
  { killAt: 'opened', killAfterMs: 0 },
  { killAt: 'opened', killAfterMs: 25 },
  { killAt: 'opened', killAfterMs: 80 },
  { killAt: 'finished', killAfterMs: 0 },
  { killAt: 'committing', killAfterMs: 0 },
  { killAt: 'committing', killAfterMs: 1 },
  { killAt: 'committed', killAfterMs: 0 },
]

const timeoutMs = 120_000

describe.each(testedFormats)('%s', (format) => {
  let database: Awaited<ReturnType<typeof startDatabase>>
  beforeAll(async () => (database = await startDatabase(format)))
  afterAll(() => database.stop())

  test.each(['merge', 'history'] as const)(
    'a load after loads killed at any time leaves what undisturbed loads leave, mode %s',
    async (mode) => {
      const target = database.createTarget()
      const plan: DatabaseOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }
      const model = new LoadModel(plan)
      // Half of them each at most: a process takes a second to start.
      const own = kills.filter((_, at) => (at % 2 === 0) === (mode === 'merge')).slice(-cases(4, 2))
      for (const [night, kill] of own.entries()) {
        await runChild(target, { mode, night, ...kill })
        await loadRows(plan, nightlyLoad(night), toRows(nightlyRecords(night)))
        model.load(nightlyRecords(night), nightlyLoad(night))
        const tables = modelTables.map(({ name }, at) => readLines(database, target, name, listTargetColumns(plan, at)))
        expect(await Promise.all(tables), `night ${night}`).toEqual(model.tables)
      }
      expect(model.tables.every((lines) => lines.length > 500)).toBe(true)
    },
    timeoutMs,
  )
})

async function runChild(target: DatabaseTarget, load: Omit<ChildLoad, 'format' | 'place' | 'schema'>): Promise<void> {
  const { format, schema } = target
  const place = target.format === 'duckdb' ? target.path : target.url.text
  const argument: ChildLoad = { format, place, schema, ...load }
  const child = spawn(process.execPath, [await buildChild('killed-load-child.ts'), JSON.stringify(argument)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  // A fast one may be done before it is killed.
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`expected SIGKILL, got exit code ${code}: ${said}`)
}
