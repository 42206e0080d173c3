import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StagedFile } from '../../../src/storage/staged-file.ts'
import type { FileStorage } from '../../../src/storage/file-storage.ts'
import { openStorage } from '../../../src/storage/open-storage.ts'
import { startS3, type S3Server } from './start-s3.ts'
import { isDeep } from '../../depth.ts'

let server: S3Server
let storage: FileStorage
let prefix = 0

beforeAll(async () => {
  server = await startS3()
})

beforeEach(async () => {
  // One attempt each: the faults below are for good.
  storage = await openStorage('s3://warehouse/x', { ...server.env, AWS_MAX_ATTEMPTS: '1' })
  prefix++
})

afterEach(async () => {
  server.faults.length = 0
  await storage.close()
})

afterAll(() => server.close())

/** More than the requests of a publication of two files and its manifest, and of undoing it. */
const moments = Array.from({ length: 12 }, (_, at) => at).filter((at) => isDeep || at % 3 === 1)

test.each(moments.flatMap((after) => (['reset', 'reset-after'] as const).map((how) => ({ after, how }))))(
  'a bucket that is gone for good from request $after on ($how): the next run finds the old set or the new one',
  async ({ after, how }) => {
    await storage.publish(await stage('one'))
    const old = await setHere()
    const next = await stage('two')
    server.faults.push({ method: '*', where: '/warehouse/', how, times: Infinity, after })
    const outcome = await storage.publish({ ...next, removals: [path('a.run-one.csv'), path('b.run-one.csv')] }).then(
      () => 'published',
      () => 'failed',
    )
    // The files that a reader sees meanwhile.
    const listed = { one: old.manifest, two: 'manifest two' }
    const meanwhile = await setHere()
    expect(Object.values(listed)).toContain(meanwhile.manifest)
    expect(meanwhile.listed).toEqual([true, true])
    server.faults.length = 0
    const recovered = await storage.recover(home())
    const now = await setHere()
    expect(now.listed).toEqual([true, true])
    const isNew = now.manifest === 'manifest two'
    expect(now.manifest).toBe(isNew ? 'manifest two' : 'manifest one')
    expect(isNew).toBe(outcome === 'published' || recovered === 'finished')
    expect(isNew || recovered === 'none' ? [] : now.names).toEqual(isNew || recovered === 'none' ? [] : old.names)
    expect(await storage.recover(home())).toBe('none')
    // The run after that publishes as ever.
    await storage.publish(await stage('three'))
    expect((await setHere()).manifest).toBe('manifest three')
  },
)

test('a publication in a bucket of another machine that may still be publishing is left alone for ten minutes', async () => {
  await storage.publish(await stage('one'))
  await storage.publish(await stage('two'))
  const startedAt = Date.UTC(2027, 0, 1)
  await putJournal({ publisher: { host: 'elsewhere', pid: 1, startTicks: null }, startedAt })
  const [early, late] = [await openAt(startedAt + 9 * 60_000), await openAt(startedAt + 11 * 60_000)]
  await expect(early.recover(home())).rejects.toThrow(
    '._manifest.json.journal: process 1 of "elsewhere" publishes these outputs since 2027-01-01T00:00:00.000Z',
  )
  expect(await late.recover(home())).toBe('undone')
  await Promise.all([early.close(), late.close()])
})

test('a journal in a bucket of a later version is left to that version', async () => {
  const text = '{"format":"catalogue-etl object publication 12"}'
  await putText(text)
  await expect(storage.recover(home())).rejects.toMatchObject({
    code: 'OUTPUT_REFUSED',
    message: expect.stringContaining('got that of a later one') as string,
    fix: expect.stringContaining('Run the pipeline once with the later version') as string,
  })
  expect((await server.objects())[`${prefix}/._manifest.json.journal`]).toBe(text)
})

test('a journal in a bucket that can not be parsed is an error that says what to do', async () => {
  await putText('{"format":"another"}')
  await expect(storage.recover(home())).rejects.toThrow('remove the objects that the manifest does not list')
})

const path = (name: string) => `s3://warehouse/${prefix}/${name}`
const home = () => path('_manifest.json')

const openAt = (now: number) => openStorage('s3://warehouse/x', server.env, { now: () => now })

async function stage(token: string) {
  const files = []
  for (const name of ['a.csv', 'b.csv']) {
    const file = await storage.openFile(path(name), { token, perRun: true })
    await file.write(Buffer.from(`${name} of ${token}`))
    files.push(toFinished(file, (await file.finish()).sha256))
  }
  const manifest = await storage.openFile(home(), { token })
  await manifest.write(Buffer.from(`manifest ${token}`))
  const { sha256 } = await manifest.finish()
  return { files, manifest: toFinished(manifest, sha256), home: home(), removals: [] as string[] }
}

function toFinished({ path: staging, destination }: StagedFile, sha256: string) {
  return { path: staging, destination, sha256 }
}

/** The files that the manifest lists, and all names in the bucket. */
async function setHere() {
  const objects = await server.objects()
  const manifest = objects[`${prefix}/_manifest.json`] ?? ''
  const token = manifest.replace('manifest ', '')
  return {
    manifest,
    listed: ['a', 'b'].map((name) => objects[`${prefix}/${name}.run-${token}.csv`] === `${name}.csv of ${token}`),
    names: Object.keys(objects).filter((key) => key.startsWith(`${prefix}/`)),
  }
}

async function putJournal(content: { readonly publisher: unknown; readonly startedAt: number }): Promise<void> {
  const entry = { path: home(), upload: null, parts: [], bytes: 1, sha256: 'x', perRun: false }
  const journal = {
    format: 'catalogue-etl object publication 1',
    publisher: content.publisher,
    startedAt: new Date(content.startedAt),
    files: [],
    manifest: entry,
    gone: [],
    removals: [],
  }
  await putText(JSON.stringify(journal))
}

async function putText(journal: string): Promise<void> {
  const staged = await storage.openFile(path('._manifest.json.journal'), { token: 'x' })
  await staged.write(Buffer.from(journal))
  const { sha256 } = await staged.finish()
  await storage.publish({ files: [], manifest: toFinished(staged, sha256), home: path('other.json'), removals: [] })
}
