import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaManifest } from '../../src/media/media-manifest.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { cases } from '../depth.ts'
import { DownloadFolder, listProblems } from './media-folder.ts'

const run = promisify(execFile)
const kills = cases(12, 3)
const concurrency = 6

let cli: BuiltCli
let folder: DownloadFolder
let sandbox: Sandbox
let config: string

beforeAll(async () => {
  ;[cli, folder] = await Promise.all([BuiltCli.build(), DownloadFolder.create()])
  sandbox = await startSandbox({ products: 200, images: true, rateLimit: false, seed: 7 })
  const { baseUrl, keyId, keySecret } = sandbox
  const source = { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret, filter: {}, sorting: { id: 'ASC' } }
  const media = {
    userAgent: 'test-images/1.0 (it@example.com)',
    formats: ['large', 'hugeWebp'],
    allowPrivate: true,
    concurrency,
    timeouts: { firstByte: '500ms', idle: '500ms' },
  }
  config = await folder.config({ source, media })
})
afterAll(() => Promise.all([folder.remove(), sandbox.close()]))

test(
  `500 images are downloaded under faults and ${kills} kills: all are complete, and no completed one is requested again`,
  { timeout: 300_000 },
  async () => {
    injectFaults()
    const had = new Set<string>()
    for (let kill = 0; kill < kills; kill++) {
      const before = requestedPaths().length
      await killDownload(before + 5 + ((kill * 37) % Math.ceil(480 / kills)))
      expect(
        requestedPaths()
          .slice(before)
          .filter((path) => had.has(path)),
      ).toEqual([])
      for (const path of await readJournal()) had.add(path)
      await expectOnlyCompleteFiles()
    }
    expect(had.size).toBeGreaterThan(100)
    const before = requestedPaths().length
    const end = await cli.start(['media', config, '--to', folder.images, '--json', '--quiet']).ended
    expect({ code: end.code, stderr: end.stderr }).toEqual({ code: 0, stderr: '' })
    expect(
      requestedPaths()
        .slice(before)
        .filter((path) => had.has(path)),
    ).toEqual([])
    const { media } = JSON.parse(end.stdout) as { media: MediaManifest }
    expect(media.files).toMatchObject({ missing: 0, stale: 0 })
    expect(media.files['files']).toBeGreaterThan(500)
    expect(media.entries.current).toBeGreaterThanOrEqual(500)
    expect(await listProblems(folder.images)).toEqual([])
    expect(await listDoubts()).toEqual([])
    expect(countRepeated()).toBeLessThanOrEqual(kills * concurrency)
  },
)

/**
 * One of twelve requests meets a fault, each time another. All others are a little late, so kills find them running.
 */
function injectFaults(): void {
  const faults = [
    '500',
    '429,retry-after=0',
    'cut=0.5',
    'reset=0.5',
    'short=0.5',
    'total=+10',
    'stall=0.5',
    'cut',
    'stall',
  ]
  for (let at = 0; at < 80; at++) {
    sandbox.inject({ endpoint: 'images', fault: faults[at % faults.length] ?? '', after: at * 12 })
  }
  sandbox.inject({ endpoint: 'images', fault: 'delay=15', times: 20_000 })
}

/** Starts a real process and kills it after a number of requests for images. */
async function killDownload(requests: number): Promise<void> {
  const child = cli.start(['media', config, '--to', folder.images, '--quiet'])
  const asked = async (): Promise<void> => {
    while (requestedPaths().length < requests) await sleep(2)
  }
  await Promise.race([asked(), child.ended])
  child.kill('SIGKILL')
  const { code, signal, stderr } = await child.ended
  expect({ end: signal ?? code, stderr }).toEqual({ end: 'SIGKILL', stderr: '' })
}

function requestedPaths(): string[] {
  return sandbox.requests.filter(({ endpoint }) => endpoint === 'images').map(({ url }) => url)
}

/** Paths of files that a killed download has completed. */
async function readJournal(): Promise<string[]> {
  const text = await readFile(join(folder.images, '.media/journal.ndjson'), 'utf8').catch(() => '')
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.flatMap((line) => {
    if (line === '') return []
    const { state, stored } = JSON.parse(line) as { state: string; stored: { url: string } | null }
    return state === 'done' && stored !== null ? [new URL(stored.url).pathname] : []
  })
}

/** Checks that every file under a final name is complete. */
async function expectOnlyCompleteFiles(): Promise<void> {
  const names = (await readdir(folder.images)).filter((name) => /\.(?:jpg|webp)$/.test(name))
  for (const name of names) {
    const bytes = await readFile(join(folder.images, name))
    const isWhole = name.endsWith('.jpg')
      ? bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9]))
      : bytes.readUInt32LE(4) + 8 === bytes.length
    expect({ name, isWhole }).toEqual({ name, isWhole: true })
  }
}

/** Compares hashes and types with sha256sum and file, if they are installed. */
async function listDoubts(): Promise<string[]> {
  const entries = (await folder.entries()).filter(({ file }) => file !== undefined)
  const names = [...new Set(entries.map(({ file = '' }) => file))]
  const [hashes, kinds] = await Promise.all([runOver('sha256sum', names), runOver('file', names)])
  const byName = new Map(hashes?.map((line) => [line.slice(66), line.slice(0, 64)]))
  const kindOf = new Map(kinds?.map((line) => [line.slice(0, line.indexOf(':')), line]))
  return entries.flatMap(({ file = '', sha256, contentType, width, height }) => {
    const kind = kindOf.get(file) ?? ''
    const isKind =
      contentType === 'image/webp' ? kind.includes('Web/P image') : kind.includes(`, ${width}x${height}, components 1`)
    return [
      ...(hashes === null || byName.get(file) === sha256 ? [] : [`${file}: another hash`]),
      ...(kinds === null || isKind ? [] : [kind]),
    ]
  })
}

/** Lines that a program prints for files; null if it is not installed. */
async function runOver(program: string, names: readonly string[]): Promise<string[] | null> {
  const options = { cwd: folder.images, maxBuffer: 64 * 1024 * 1024 }
  const end = await run(program, names, options).catch(() => null)
  return end === null ? null : end.stdout.trimEnd().split('\n')
}

/** Files that the sandbox sent completely more than once: those on their way to the disk at a kill. */
function countRepeated(): number {
  const sent = sandbox.requests.filter(
    ({ endpoint, status, end, fault }) =>
      endpoint === 'images' && status === 200 && end === 'complete' && (fault === 'delay=15' || fault === null),
  )
  return sent.length - new Set(sent.map(({ url }) => url)).size
}
