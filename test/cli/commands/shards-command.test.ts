import { readdir, truncate } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
let config: string
let plan: string

beforeAll(async () => {
  folder = await RunFolder.create()
  for (const name of ['a', 'b', 'c'])
    await folder.write(`${name}.ndjson.gz`, gzipSync(`{"id":"${name}","status":"active"}\n`))
  const source = { files: folder.at('*.ndjson.gz'), contract: 'v4/product' }
  const outputs = [{ format: 'csv', path: folder.at('out/{table}.csv') }]
  config = await folder.write(
    'sharded.json',
    JSON.stringify({ name: 'sharded', source, outputs, completeness: 'report' }),
  )
  plan = folder.at('plan')
})
afterAll(() => folder.remove())

describe('shards', () => {
  test('shards plan says how many shards, files and bytes there are', async () => {
    const { exitCode, stderr } = await runInMemory(['shards', 'plan', config, '--to', plan, '--bytes', '1B'])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^sharded: 3 shards of 3 files \(0\.0 MB\), plan [0-9a-f]{8} in /)
  })

  test('shards plan refuses a list whose lines are matched one by one, as no shard knows what others find', async () => {
    const file = await folder.write('list.csv', 'code,stock\n1234567,2\n')
    for (const more of [{ keep: ['stock'] }, { order: 'source' }]) {
      const set = `sourceIds=${JSON.stringify({ file, columns: { cnk: 'code' }, ...more })}`
      const { exitCode, stderr } = await runInMemory([
        'shards',
        'plan',
        config,
        '--to',
        folder.at('none'),
        '--set',
        set,
      ])
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('got one whose lines are matched one by one')])
    }
  })

  test('shards run runs nothing if one of its numbers is not in the plan', async () => {
    const { exitCode, stderr } = await runInMemory(['shards', 'run', plan, '--shard', '0,1,99'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('expected a shard from 0 to 2, got 99')
    expect(await readdir(plan)).toEqual(['plan.json'])
  })

  test('shards run refuses repeated numbers and endless ranges', async () => {
    await runInMemory(['shards', 'run', plan, '--shard', '0-1,1,0'])
    expect((await readdir(folder.at('plan/attempts'))).map((name) => name.slice(0, 5)).toSorted()).toEqual([
      '00000',
      '00001',
    ])
    const { exitCode, stderr } = await runInMemory(['shards', 'run', plan, '--shard', '0-999999999'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Expected numbers and ranges such as 3,7-9, from 0 on.')
  })

  test('shards commit of a damaged file asks to repair it and make a new plan', async () => {
    await truncate(folder.at('c.ndjson.gz'), 30)
    const again = folder.at('again')
    await runInMemory(['shards', 'plan', config, '--to', again, '--bytes', '1B'])
    expect((await runInMemory(['shards', 'run', again, '--shard', '0-2'])).exitCode).toBe(0)
    const { exitCode, stderr } = await runInMemory(['shards', 'commit', again])
    expect(exitCode).toBe(4)
    expect(stderr).toContain(`SOURCE_FAILED ${folder.at('c.ndjson.gz')}: expected whole gzip data`)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('make a new plan in another folder')
  })
})
