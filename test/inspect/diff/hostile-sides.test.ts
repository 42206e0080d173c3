import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diff, type DiffOptions } from '../../../src/inspect/diff/diff.ts'
import { forcedWorkers } from '../../forced-workers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diff-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

async function compare(old: string, next: string, options: Partial<DiffOptions> = {}) {
  const context = { env: forcedWorkers, signal: new AbortController().signal, onWarning: String }
  return (await diff(old, next, { ...context, ...options })).tables[0]!
}

/** A record that is nested deeper than the stack. */
function nest(id: string, end: string): string {
  return `{"id":"${id}","marks":${'['.repeat(90_000)}${end}${']'.repeat(90_000)}}`
}

describe('hostile sides of a comparison', () => {
  test('a record nested deeper than the stack is one difference', async () => {
    const lines = (end: string) => `{"id":"M0","status":"${end}"}\n${nest('M1', end)}\n${nest(`N${end}`, end)}`
    const [before, next] = [await write('deep-old.ndjson', lines('1')), await write('deep-new.ndjson', lines('2'))]
    const found = await compare(before, next, { contract: 'v4/product', to: join(folder, 'deep.csv') })
    expect(found).toMatchObject({ new: 1, removed: 1, changed: 2, unchanged: 0 })
    expect(found.fields.map(({ field, count }) => [field, count])).toEqual([
      ['$', 1],
      ['status', 1],
    ])
    const quoted = nest('M1', '1').replaceAll('"', '""')
    expect(await readFile(join(folder, 'deep.csv'), 'utf8')).toContain(`M1,$,,"${quoted}"`)
  })

  test.skipIf(process.platform === 'win32')('a file that the system refuses to open is SOURCE_FAILED', async () => {
    const path = join(folder, 'socket')
    const server = createServer().listen(path)
    await once(server, 'listening')
    await expect(compare(path, path)).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      message: /socket: the read failed: /,
    })
    server.close()
  })

  test('the next comparison removes the staging file of a killed one', async () => {
    const old = await write('killed/old.ndjson', '{"id":"M1"}\n')
    const { pid } = spawnSync('true')
    await write(`killed/.out.csv.${pid}-0123456789ab.staging`, 'id,fi')
    await compare(old, old, { contract: 'v4/product', to: join(folder, 'killed/out.csv') })
    expect((await readdir(join(folder, 'killed'))).toSorted()).toEqual(['old.ndjson', 'out.csv'])
  })
})
