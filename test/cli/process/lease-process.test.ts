import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { fewOf } from '../../depth.ts'
import { startS3, type S3Fault, type S3Server } from '../../storage/s3/start-s3.ts'
import { BuiltCli, type CliProcess } from '../built-cli.ts'
import { RunFolder } from '../run-folder.ts'

let cli: BuiltCli
let folder: RunFolder
let s3: S3Server

beforeAll(async () => {
  ;[cli, folder, s3] = await Promise.all([BuiltCli.build(), RunFolder.create(), startS3()])
})
afterEach(() => {
  s3.faults.length = 0
  s3.held.splice(0).forEach((release) => release())
})
afterAll(() => Promise.all([folder.remove(), s3.close()]))

const hourMs = 3_600_000
const records = (ids: string) =>
  ids
    .split(' ')
    .map((id) => `${JSON.stringify(id === 'bad' ? { name: 1 } : { id })}\n`)
    .join('')

/** A pipeline with its files, state and lock in the bucket, on machines that share no disk, and whose clocks differ. */
class Nights {
  readonly #name: string
  readonly #mode: string
  readonly #leaseSeconds: number
  #config = ''

  constructor(name: string, { mode = 'merge', leaseSeconds = 1 } = {}) {
    this.#name = name
    this.#mode = mode
    this.#leaseSeconds = leaseSeconds
  }

  async start(machine: string, skewMs = 0): Promise<CliProcess> {
    const args = ['run', await this.#toConfig(), '--quiet', '--log', 'text', '--wait', '1m']
    return this.#start(machine, args, skewMs)
  }

  async run(
    machine: string,
    ids: string,
    skewMs = 0,
  ): Promise<{ readonly code: number | null; readonly stderr: string }> {
    const { code, stderr } = await (await this.start(machine, skewMs)).end(records(ids))
    return { code, stderr }
  }

  async command(...words: string[]): Promise<{ readonly code: number | null; readonly stdout: string }> {
    const { code, stdout } = await (await this.#start('other', [...words, await this.#toConfig(), '--json'])).end('')
    return { code, stdout }
  }

  /** The objects, by name without that of the run. */
  async objects(): Promise<Record<string, string>> {
    const all = Object.entries(await s3.objects()).filter(([key]) => key.startsWith(`${this.#name}/`))
    return Object.fromEntries(all.map(([key, text]) => [key.slice(this.#name.length + 1), text]))
  }

  /** The rows that the manifest lists, of files that are as it says. Every other object of a run waits for its removal. */
  async rows(): Promise<string[]> {
    const objects = await this.objects()
    const { files, state } = JSON.parse(objects['_manifest.json'] ?? '') as Manifest
    const toKey = (path: string) => path.replace(`s3://warehouse/${this.#name}/`, '')
    const listed = [
      ...files,
      ...(state?.records ? [state.records] : []),
      ...(state?.tables.flatMap((each) => each.files) ?? []),
    ]
    for (const { path, sha256 } of listed) {
      const found = createHash('sha256').update(objects[toKey(path)] ?? '', 'latin1')
      assert.equal(found.digest('hex'), sha256, path)
    }
    const superseded = JSON.parse(objects['._manifest.json.superseded'] ?? '[]') as string[]
    const known = new Set([...listed.map(({ path }) => path), ...superseded].map(toKey))
    const isLost = (key: string) => key.endsWith('.journal') || (key.includes('.run-') && !known.has(key))
    assert.deepEqual(Object.keys(objects).filter(isLost), [])
    return files.flatMap(({ path }) =>
      (objects[toKey(path)] ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    )
  }

  async #start(machine: string, args: readonly string[], skewMs = 0): Promise<CliProcess> {
    const TMPDIR = folder.at(machine)
    await mkdir(TMPDIR, { recursive: true })
    const skew = `const now = Date.now; Date.now = () => now() + ${skewMs}`
    const node = [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(skew)}`]
    return cli.start(args, {
      cwd: folder.path,
      env: { ...s3.env, TMPDIR, CATALOGUE_LEASE_SECONDS: `${this.#leaseSeconds}` },
      node,
    })
  }

  async #toConfig(): Promise<string> {
    const output = `{ format: ndjson, path: "s3://warehouse/${this.#name}/{table}.ndjson", mode: ${this.#mode} }`
    const source = 'source: { files: "-", contract: v4/product }\nrejects: { limit: 5 }\nmaxRemoved: 60%'
    const tables = 'tables: { products: { columns: [id] } }'
    return (this.#config ||= await folder.write(
      `${this.#name}.yaml`,
      `name: ${this.#name}\n${source}\n${tables}\noutputs: [${output}]\n`,
    ))
  }
}

/** Where the first run stands still: the request that arrives only when another run has published. */
const moments: readonly (Pick<S3Fault, 'method' | 'where' | 'after'> & { readonly isPublished?: true })[] = [
  { method: 'PUT', where: '.journal' },
  { method: 'GET', where: '.journal', after: 1 },
  { method: 'PUT', where: 'products.run' },
  { method: 'POST', where: '_manifest.json?uploadId' },
  { method: 'POST', where: '_rejects.ndjson?uploadId', isPublished: true },
  { method: 'DELETE', where: '.journal', isPublished: true },
]

test.each(fewOf(moments, moments[0]!, moments[3]!).map((moment, at) => ({ at, ...moment })))(
  'a run that stands still at $method $where, while another machine takes over and publishes, changes nothing when it is back',
  async ({ at, isPublished = false, ...moment }) => {
    const nights = new Nights(`still-${at}`)
    expect(await nights.run('first', 'A B bad')).toMatchObject({ code: 0 })
    s3.faults.push({ ...moment, where: moment.where, how: 'hold' })
    const stopped = await nights.start('first')
    const ended = stopped.end(records('A B C'))
    await vi.waitUntil(() => s3.held.length > 0, { timeout: 30_000 })
    stopped.kill('SIGSTOP')
    // Clocks that differ by an hour change nothing.
    const skewMs = at % 2 === 0 ? hourMs : -hourMs
    expect(await nights.run('second', 'A B D bad', skewMs)).toMatchObject({ code: 0 })
    const { '._manifest.json.lease': _, ...published } = await nights.objects()
    expect(await nights.rows()).toEqual(['A', 'B', 'D'])
    s3.held.splice(0).forEach((release) => release())
    stopped.kill('SIGCONT')
    const { code, stderr } = await ended
    expect({ code, isTakenOver: stderr.includes('Another run has taken over') }).toEqual({
      code: isPublished ? 0 : 6,
      isTakenOver: !isPublished,
    })
    const { '._manifest.json.lease': __, ...after } = await nights.objects()
    expect(after).toEqual(published)
    expect(await s3.openUploads()).toEqual([])
    expect(await nights.run('first', 'A B D E')).toMatchObject({ code: 0 })
    expect(await nights.rows()).toEqual(['A', 'B', 'D', 'E'])
  },
)

test('a machine whose clock is an hour ahead does not take the lock of a run that is under way, and lock names it', async () => {
  const nights = new Nights('ahead', { leaseSeconds: 4 })
  const running = await nights.start('first')
  await vi.waitUntil(async () => (await nights.command('lock')).code === 6, { timeout: 30_000, interval: 200 })
  const { stdout } = await nights.command('lock')
  expect(JSON.parse(stdout)).toMatchObject({
    isHeld: true,
    lock: { holder: { pid: expect.any(Number) as number }, token: 1 },
  })
  const other = nights.run('second', 'Z', hourMs)
  // Beyond the term.
  await sleep(7000)
  expect(await running.end(records('A'))).toMatchObject({ code: 0, stderr: '' })
  expect(await other).toMatchObject({ code: 3, stderr: expect.stringContaining('REMOVED_TOO_MANY') as string })
  expect(await nights.rows()).toEqual(['A'])
  expect((await nights.command('lock')).code).toBe(0)
})

test('two machines in turn, with nothing on their disks, publish what one machine does', async () => {
  const [turns, alone] = [new Nights('turns', { mode: 'history' }), new Nights('alone', { mode: 'history' })]
  for (const [night, ids] of ['A B C', 'A B D', 'B D E'].entries()) {
    expect(await turns.run(`machine-${night}`, ids)).toMatchObject({ code: 0 })
    expect(await alone.run('one', ids)).toMatchObject({ code: 0 })
  }
  expect(await turns.rows()).toEqual(await alone.rows())
  const shown = JSON.parse((await turns.command('state', 'show')).stdout) as {
    state: { changes: unknown }
    lock: unknown
  }
  expect(shown).toMatchObject({ state: { changes: { new: 1, unchanged: 2, removed: 1 } }, lock: null })
})
