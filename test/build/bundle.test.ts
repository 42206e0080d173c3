import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type * as Zstd from '@bokuweb/zstd-wasm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../build/bundle.ts'
import { keepCompiled } from '../../build/keep-compiled.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { CliProcess } from '../cli/built-cli.ts'
import { cases } from '../depth.ts'
import { listPackages, sumLoaded } from './read-bundle.ts'
import { skipsPostgres, startPostgres } from '../loads/databases/postgres-server.ts'

const root = join(import.meta.dirname, '../..')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  await bundle(join(folder, 'dist'))
  await cp(join(root, 'package.json'), join(folder, 'package.json'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the bundles, beside no package', () => {
  test('the bundles name no package but those that may be installed beside this one', async () => {
    const peers = new Set(Object.keys(packageJson.peerDependencies))
    const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((file) => /\.c?js$/.test(file))
    const named = await Promise.all(
      files.map(async (file) => listPackages(await readFile(join(folder, 'dist', file), 'utf8'))),
    )
    expect(new Set(named.flat())).toEqual(peers)
  })

  test('an installation is at most 30 packages', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as PackageLock
    const installed = Object.values(packages).filter(({ dev }) => dev !== true)
    expect(installed.length).toBeLessThanOrEqual(30)
  })

  test('the bundles come with the licence of every package in them', async () => {
    const licenses = await readFile(join(folder, 'dist/bundle/LICENSES.txt'), 'utf8')
    for (const name of ['commander', 'lossless-json', 'pino', 'prompts', 'snappyjs', 'yaml', 'zod', 'zstd']) {
      expect(licenses).toMatch(new RegExp(`^${name}\n\n(?:.*\n){0,6}.*Copyright`, 'm'))
    }
  })

  test('zstd of the bundles, optimized for speed, makes the bytes of its package', async () => {
    // A copy: a second start of the package would take its memory from the sources that this process has loaded.
    await cp(join(root, 'node_modules/@bokuweb/zstd-wasm'), join(folder, 'zstd'), { recursive: true })
    const require = createRequire(import.meta.url)
    const zstd = require(join(folder, 'zstd')) as typeof Zstd
    const bundled = require(join(folder, 'dist/bundle/zstd-wasm.cjs')) as typeof Zstd
    await Promise.all([bundled.init(), zstd.init()])
    const contexts = [bundled.createCCtx(), zstd.createCCtx()] as const
    const texts = fc.array(fc.string({ maxLength: 20 }), { maxLength: 500 }).map((parts) => Buffer.from(parts.join('')))
    fc.assert(
      fc.property(fc.oneof(texts, fc.uint8Array({ maxLength: 5000 })), fc.constantFrom(1, 3), (bytes, level) => {
        const frame = bundled.compressUsingDict(contexts[0], bytes, new Uint8Array(0), level)
        expect(frame).toEqual(zstd.compressUsingDict(contexts[1], bytes, new Uint8Array(0), level))
      }),
      { numRuns: cases(500) },
    )
    const large = Buffer.alloc(30_000_000, 'larger than its memory')
    expect(large.equals(zstd.decompress(bundled.compress(large, 1)))).toBe(true)
  })

  test('a small run loads neither threads nor HTTP, and little JavaScript', async () => {
    const lines = [...generateLines({ contract: 'v4/product', seed: 1, records: 10 })]
    await writeFile(join(folder, 'products.ndjson'), Buffer.concat(lines))
    const source = { files: 'products.ndjson', contract: 'v4/product' }
    await writeFile(join(folder, 'small.json'), JSON.stringify({ name: 'small', source }))
    const to = join(folder, 'modules.json')
    const preloaded = pathToFileURL(join(import.meta.dirname, 'report-modules.mjs')).href
    const env = { MODULES_TO: to, NODE_OPTIONS: `--import ${preloaded}` }
    const run = new CliProcess(join(folder, 'dist/cli.js'), ['run', 'small.json', '--quiet'], { cwd: folder, env })
    expect(await run.end()).toMatchObject({ code: 0, stdout: '' })
    const loaded = JSON.parse(await readFile(to, 'utf8')) as string[]
    for (const name of ['child_process', 'cluster', 'http', 'https', 'perf_hooks', 'readline', 'tls', 'worker_threads'])
      expect(loaded).not.toContain(`NativeModule ${name}`)
    expect(loaded).toContain('NativeModule crypto')
    expect(await sumLoaded(join(folder, 'dist'), 'bundle/commands-')).toBeLessThan(900_000)
  })

  test('a worker thread loads what encodes, and nothing of a run', async () => {
    expect(await sumLoaded(join(folder, 'dist'), 'bundle/encode-worker')).toBeLessThan(300_000)
  })

  test('a small run takes what V8 has compiled of its scripts', async () => {
    await keepCompiled(join(folder, 'dist'))
    const preloaded = pathToFileURL(join(import.meta.dirname, 'report-scripts.mjs')).href
    const env = { NODE_OPTIONS: `--import ${preloaded}` }
    const run = new CliProcess(join(folder, 'dist/cli.js'), ['run', 'small.json', '--quiet'], { cwd: folder, env })
    const { stderr } = await run.end()
    // The run of the test before left a manifest.
    for (const name of ['encoding', 'run', 'commands', 'manifests', 'report-page'])
      expect(stderr).toMatch(new RegExp(`^${name}-\\S+ is taken$`, 'm'))
  })

  test('stack traces name the lines of src/ if Node reads source maps, in modules and in scripts', async () => {
    const program = `
      import { runPipeline } from './dist/bundle/index.js'
      import { toCsv } from './dist/bundle/streams.js'
      try { toCsv({ delimiter: 5 }) } catch ({ stack }) { console.log(stack) }
      const source = { files: ['missing.ndjson'], contract: 'v4/product' }
      await runPipeline({ name: 'missing', source }).catch(({ stack }) => console.log(stack))`
    await writeFile(join(folder, 'traced.mjs'), program)
    const args = ['--enable-source-maps', 'traced.mjs']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder })
    const places = [...stdout.matchAll(/^ +at (?:async )?\S+ \(.*\/(src\/\S+\.ts):(\d+):\d+\)$/gm)]
    expect(stdout.match(/^ +at (?!async file:|file:|.*node:)/gm)).toHaveLength(places.length)
    const lines = places.map(([, file = '', line]) => `${file}: ${lineOf(file, Number(line))}`)
    expect(lines.slice(0, 4)).toEqual([
      expect.stringMatching(/^src\/streams\/to-text\.ts: throw new CatalogueError\('CONFIG_INVALID'/),
      expect.stringMatching(/^src\/streams\/to-text\.ts: .*checkOutputOptions\('toCsv'/),
      expect.stringMatching(/^src\/errors\.ts: return new CatalogueError\(this\.code/),
      expect.stringMatching(/^src\/engine\/frame\.ts: .*error\.withOutputs\(/),
    ])
    expect(lines).toContainEqual(expect.stringMatching(/^src\/watch-callbacks\.ts: .*await work\(/))
  })

  test('source maps hold neither the text of sources nor names, and less than half a megabyte', async () => {
    const files = (await readdir(join(folder, 'dist'), { recursive: true })).filter((file) => file.endsWith('.map'))
    const texts = await Promise.all(files.map((file) => readFile(join(folder, 'dist', file), 'utf8')))
    for (const text of texts)
      expect(JSON.parse(text)).toEqual({
        version: 3,
        names: [],
        sources: expect.anything(),
        mappings: expect.anything(),
      })
    expect(texts.join('').length).toBeLessThan(500_000)
  })

  test('the command takes signals before it loads anything of its own', async () => {
    expect(await readFile(join(folder, 'dist/cli.js'), 'utf8')).not.toMatch(/^import .*"\.\//m)
  })

  test('the server for assistants says what to install if the package of its protocol is missing', async () => {
    const server = new CliProcess(join(folder, 'dist/cli.js'), ['mcp'], { cwd: folder })
    const { code, stderr } = await server.ended
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('npm install @modelcontextprotocol/sdk'),
    })
  })

  test('the bundles read a CSV file of users', async () => {
    const { planUsers } = await load<typeof import('../../src/users.ts')>('users')
    const file = join(folder, 'users.csv')
    await writeFile(file, 'email,"first name"\n')
    await expect(planUsers({ file, baseUrl: 'http://127.0.0.1' })).rejects.toMatchObject({ code: 'ROWS_INVALID' })
  })

  test.skipIf(skipsPostgres)('the bundles read the service, load PostgreSQL, and log', async () => {
    const { startSandbox } = await load<typeof import('../../src/sandbox.ts')>('sandbox')
    const [sandbox, server] = await Promise.all([startSandbox({ products: 20, rateLimit: false }), startPostgres()])
    try {
      const { baseUrl, keyId, keySecret } = sandbox
      const config = {
        name: 'products',
        source: { endpoint: 'v4/products/stream', baseUrl, keyId, keySecret },
        tables: { products: { columns: ['id', 'status'] } },
        outputs: [{ format: 'postgres', url: '${DATABASE_URL}' }],
      }
      await writeFile(join(folder, 'products.json'), JSON.stringify(config))
      const env = { DATABASE_URL: server.url.text }
      const run = new CliProcess(join(folder, 'dist/cli.js'), ['run', 'products.json', '--log', 'json'], {
        cwd: folder,
        env,
      })
      const { code, stderr } = await run.end()
      expect(stderr).toContain('"event":"run.published"')
      expect(code).toBe(0)
      expect(await server.query('SELECT count(*) FROM products')).toEqual([['20']])
    } finally {
      await Promise.all([sandbox.close(), server.stop()])
    }
  })
})

function lineOf(file: string, line: number): string {
  return readFileSync(join(root, file), 'utf8').split('\n')[line - 1]?.trim() ?? ''
}

interface PackageLock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
}

async function load<Entry>(name: string): Promise<Entry> {
  return (await import(pathToFileURL(join(folder, `dist/bundle/${name}.js`)).href)) as Entry
}
