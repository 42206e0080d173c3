import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as nodeFs from 'node:fs/promises'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { journalPathFor, writeJournal } from '../../src/storage/publication-journal.ts'
import { openStagedFile } from '../../src/storage/staged-file.ts'
import { clearStaleStaging } from '../../src/storage/stale-staging.ts'

const none = new Set<string>()
let folder: string
let destination: string
let deadPid: number

beforeAll(async () => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
  deadPid = child.pid!
  await once(child, 'exit')
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stale-staging-'))
  destination = join(folder, 'products.csv')
})
afterEach(() => rm(folder, { recursive: true }))

test('the staging files of ended processes are removed, and nothing else', async () => {
  const stale = [
    `.products.csv.${deadPid}-a.backup`,
    `.products.csv.${deadPid}-a.partial`,
    `.products.csv.${deadPid}-a.staging`,
  ]
  const others = [
    'products.csv',
    `.products.csv.${process.ppid}-a.staging`,
    `.products.csv.${deadPid}.staging`,
    `.products.csv.${deadPid}-a.staging.txt`,
    `.products.csv.gz.${deadPid}-a.staging`,
    `.my.products.csv.${deadPid}-a.staging`,
    `products.csv.${deadPid}-a.staging`,
  ]
  await write(...stale, ...others)
  expect(await clearStaleStaging([destination, destination], none)).toEqual(stale.map((name) => join(folder, name)))
  expect(await readdir(folder)).toEqual(others.sort())
})

test('the staging files of this process stay while their tokens are active', async () => {
  const file = await openStagedFile(destination, { token: 'mine' })
  await write(`.products.csv.${process.pid}-of_an_earlier_process.staging`)
  await clearStaleStaging([destination], new Set(['mine']))
  expect(await readdir(folder)).toEqual([basename(file.path)])
  expect(await clearStaleStaging([destination], none)).toEqual([file.path])
  await file.discard()
})

test.runIf(process.platform === 'linux')(
  'a killed process that nobody has reaped has stale staging files',
  async () => {
    // The shell starts a process, becomes one that does not wait for it, and says its number.
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 10'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer]
    await write(`.products.csv.${String(pid).trim()}-a.staging`)
    await expect.poll(() => clearStaleStaging([destination], none)).toHaveLength(1)
    parent.kill()
    await once(parent, 'exit')
  },
)

test('staging files that a journal names stay until the journal is gone', async () => {
  const manifest = join(folder, '_manifest.json')
  const names = ['products.csv', '_manifest.json'].flatMap((name) =>
    ['backup', 'staging'].map((kind) => `.${name}.${deadPid}-a.${kind}`),
  )
  await write(...names)
  const entries = [destination, manifest].map((path) => ({
    staging: join(folder, `.${basename(path)}.${deadPid}-a.staging`),
    destination: path,
    sha256: '0',
    previousInode: null,
  }))
  await writeJournal(journalPathFor(manifest), { entries, removals: [] }, nodeFs)
  expect(await clearStaleStaging([destination, manifest], none)).toEqual([])
  await rm(journalPathFor(manifest))
  expect(await clearStaleStaging([destination, manifest], none)).toHaveLength(names.length)
})

test('clearStaleStaging finds nothing in a missing folder', async () => {
  expect(await clearStaleStaging([join(folder, 'not/there.csv')], none)).toEqual([])
})

test('a folder with staging files that cannot be listed is named', async () => {
  await write('file')
  await expect(clearStaleStaging([join(folder, 'file/products.csv')], none)).rejects.toMatchObject({
    code: 'OUTPUT_REFUSED',
    message: `${join(folder, 'file')}: expected a folder, got a file`,
  })
})

async function write(...names: string[]): Promise<void> {
  for (const name of names) await writeFile(join(folder, name), '')
}
