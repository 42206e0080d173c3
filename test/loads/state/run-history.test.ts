import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../../src/config/schemas/pipeline-schema.ts'
import type { PastRun } from '../../../src/manifest/manifest.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

async function readRuns(): Promise<PastRun[]> {
  const text = await readFile(join(folder.path, '_runs.ndjson'), 'utf8')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PastRun)
}

const strict = { expectVolume: { within: '5%', severity: 'error' } } as const

test('the history has the records that the outputs hold after each delta, and its changes', async () => {
  for (let night = 0; night < 4; night++) {
    const { state } = await folder.run(strict)
    const last = (await readRuns()).at(-1)
    expect(last).toMatchObject({ kind: state.kind, records: (await folder.rows()).length })
    const { new: added, changed, touched, removed } = state.changes!
    expect(last?.loads).toEqual([{ target: null, new: added, changed, touched, removed }])
    folder.sandbox.advance(1)
  }
  expect((await readRuns()).map(({ kind }) => kind)).toEqual(['full', 'delta', 'delta', 'delta'])
})

test('the line of a run has the name that its files of changes have, and none if it wrote none', async () => {
  const outputs: PipelineConfig['outputs'] = [
    { format: 'ndjson', path: 'out/{table}.ndjson', mode: 'merge' },
    { format: 'ndjson', path: 'out/changes/{table}.ndjson', mode: 'changes' },
  ]
  const names: (string | undefined)[] = []
  for (const days of [0, 1, 0]) {
    folder.sandbox.advance(days)
    const { files } = await folder.run({ outputs })
    names.push(files.findLast(({ mode }) => mode === 'changes')?.run)
  }
  expect(new Set(names).size).toBe(2)
  expect((await readRuns()).map(({ changesRun }) => changesRun)).toEqual([names[0], names[1], undefined])
})

test('a delta is judged by the records that the outputs will hold, and refused before anything is kept', async () => {
  for (let night = 0; night < 3; night++) {
    const { rules } = await folder.run(strict)
    expect(rules).toMatchObject([{ rule: 'volume', result: 'unjudged' }])
    folder.sandbox.advance(1)
  }
  expect((await folder.run(strict)).rules).toMatchObject([{ rule: 'volume', result: 'kept' }])
  const before = await Promise.all((await folder.files()).map((name) => readFile(join(folder.path, name), 'latin1')))
  // As if earlier nights had held ten times as many.
  const path = join(folder.path, '_runs.ndjson')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/"records":(\d+)/g, '"records":$10'))
  folder.sandbox.advance(1)
  expect(
    await folder.fail({ ...strict, expectVolume: { within: '5%', severity: 'error' } }, { fullRefresh: true }),
  ).toMatchObject({
    code: 'RULE_BROKEN',
    exitCode: 3,
  })
  const after = (await folder.files()).filter((name) => !name.endsWith('.failed.html'))
  expect(await Promise.all(after.map((name) => readFile(join(folder.path, name), 'latin1')))).toEqual(before)
})

test('without the line of the run before, a delta does not know its number of records, and a full run counts anew', async () => {
  for (let night = 0; night < 4; night++) await folder.run(strict)
  await writeFile(join(folder.path, '_runs.ndjson'), '')
  const { rules } = await folder.run(strict)
  expect(rules).toMatchObject([{ result: 'unjudged', found: 'a number of records that only the next full run counts' }])
  expect((await readRuns()).at(-1)).not.toHaveProperty('records')
  await folder.run(strict, { fullRefresh: true })
  expect((await readRuns()).at(-1)).toMatchObject({ kind: 'full', records: (await folder.rows()).length })
})
