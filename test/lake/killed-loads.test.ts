import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LakeOutputPlan, listLakeColumns } from '../../src/lake/lake-plan.ts'
import { buildChild } from '../built-child.ts'
import { someOf } from '../depth.ts'
import { LoadModel, modelTables, toRows } from '../loads/databases/load-model.ts'
import { loadRows } from '../loads/databases/load-rows.ts'
import { nightlyLoad, nightlyRecords } from '../loads/databases/nights.ts'
import type { ChildLoad } from './killed-lake-child.ts'
import { readDelta, readDeltaLines } from './read-delta.ts'

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'lake-'))))
afterAll(() => rm(folder, { recursive: true }))

/** Two tables and the state have a data file and a commit each. */
const steps = [0, 1, 2, 3, 4, 5]
const moments = steps.flatMap((step) => (['before', 'during', 'after'] as const).map((when) => ({ step, when })))
const tested = someOf(moments, { step: 3, when: 'during' }, { step: 5, when: 'before' })
const timeoutMs = 300_000

test.each(someOf(['merge', 'history', 'append'] as const, 'merge', 'append'))(
  'loads after loads killed at any step leave what undisturbed loads leave in a lake, mode %s',
  async (mode) => {
    const path = join(folder, mode, '{table}')
    const target = { format: 'delta', path, compression: 'snappy' } as const
    const plan: LakeOutputPlan = { target, pipeline: 'nightly', mode, removed: 'drop', tables: modelTables }
    const model = new LoadModel({ ...plan, keepsTouched: true })
    for (const [night, killAt] of tested.entries()) {
      const records = night + (night % 2)
      const isWhole = await runChild({ path, mode, night, records, killAt })
      if (isWhole) model.load(nightlyRecords(records), nightlyLoad(night))
      await loadRows(plan, nightlyLoad(night), toRows(nightlyRecords(night)))
      model.load(nightlyRecords(night), nightlyLoad(night))
      const tables = modelTables.map((table) =>
        readDeltaLines(path.replace('{table}', table.name), listLakeColumns(plan, table)),
      )
      expect(await Promise.all(tables), `night ${night}`).toEqual(model.tables)
    }
    const { commits } = await readDelta(path.replace('{table}', '_catalogue_etl/nightly'))
    // Each whole load once, whatever was killed.
    const whole = commits.flatMap((actions) => actions.flatMap(({ txn }) => txn?.version ?? []))
    expect(whole).toEqual([...whole.keys()].map((at) => at + 1))
  },
  timeoutMs,
)

/** True for a load with fewer steps, as a table did not change. */
async function runChild(load: ChildLoad): Promise<boolean> {
  const loadFolder = join(folder, `load-${load.mode}-${load.night}`)
  await mkdir(loadFolder)
  const child = spawn(process.execPath, [await buildChild('killed-lake-child.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LOAD_FOLDER: loadFolder },
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`expected SIGKILL, got exit code ${code}: ${said}`)
  return code === 0
}
