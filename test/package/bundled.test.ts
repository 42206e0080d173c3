import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep, isFull } from '../depth.ts'
import { PageCommands } from '../docs/page-commands.ts'
import { startNext, type NextServer } from './next-server.ts'
import { digestsOf, installByNpm, pack, run, usualResults, type Packed } from './packed.ts'

/* Bundles, made as docs/bundlers.md says, run in a folder without the package: they leave the bytes that it leaves where it is installed. */
describe.runIf(isDeep)('the library in a bundle', () => {
  let packed: Packed
  let usual: Record<string, string>
  let project: string
  let page: PageCommands

  beforeAll(async () => {
    packed = await pack(isDeep ? 2000 : 200)
    usual = await usualResults(packed)
    project = await installByNpm(packed, 'bundlers', ...bundlers)
    page = await PageCommands.read('bundlers.md')
    for (const [name, text] of page.files) await writeFile(join(project, name), text)
  }, 600_000)

  test('esbuild takes the worker threads along, as a module and as a script', async () => {
    const [command = ''] = /^npx esbuild .*$/m.exec(page.text) ?? []
    const asScript = command.replace('format=esm', 'format=cjs').replace('dist/main.mjs', 'dist/main.cjs')
    const options = ['--require', join(import.meta.dirname, 'report-workers.cjs')]
    for (const line of [command, asScript]) {
      const { stderr, results } = await runAlone(await bundleBy(line), options)
      expect(stderr).toBe('a thread started\na thread started\n')
      expect(results).toEqual(usual)
    }
    const native = runAlone(await bundleBy(command), [], { CATALOGUE_KERNEL: 'native' })
    await expect(native).rejects.toThrow(/expected native code for \S+, got none: bundled code has no native code/)
  })

  test('rollup makes a bundle that runs', async () => {
    expect((await runAlone(await bundleBy('npx rollup -c'))).results).toEqual(usual)
  })

  test('webpack makes a bundle that runs, without a warning', async () => {
    const bundle = await bundleBy('npx webpack')
    expect(bundle.said).not.toMatch(/warning/i)
    expect((await runAlone(bundle)).results).toEqual(usual)
  }, 900_000)

  test('vite makes a bundle that runs', async () => {
    expect((await runAlone(await bundleBy('npx vite build'))).results).toEqual(usual)
  })

  /** Runs a command of the page; what is in `dist` goes to a folder of its own, which has no package above it. */
  async function bundleBy(command: string) {
    await rm(join(project, 'dist'), { recursive: true, force: true })
    const { stdout: said } = await run('sh', ['-ec', command], project)
    const folder = await mkdtemp(join(packed.folder, 'alone-'))
    await cp(join(project, 'dist'), folder, { recursive: true })
    return { said, folder }
  }

  async function runAlone({ folder }: { readonly folder: string }, options: readonly string[] = [], env = {}) {
    const out = join(folder, 'out')
    await mkdir(out)
    const program = (await readdir(folder)).find((name) => /^main\.[cm]js$/.test(name)) ?? ''
    const { stderr } = await run(execPath, [...options, join(folder, program), packed.input, out], folder, env)
    return { stderr, results: await digestsOf(out) }
  }
})

describe.runIf(isFull)('the library in a route of Next', () => {
  let server: NextServer | undefined
  afterAll(() => server?.stop())

  test('a standalone server answers, and leaves what a script leaves', async () => {
    const packed = await pack(isDeep ? 2000 : 200)
    const project = await installByNpm(packed, 'next', 'next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1')
    server = await startNext(project)
    const query = new URLSearchParams({ input: packed.input, folder: join(project, 'out') })
    expect(await (await fetch(`${server.url}/api/work?${query.toString()}`)).json()).toEqual({ done: true })
    expect(await digestsOf(join(project, 'out'))).toEqual(await usualResults(packed))
  }, 900_000)
})

const bundlers = [
  'esbuild@0.28.2',
  'rollup@4.68.8',
  '@rollup/plugin-node-resolve@16.0.3',
  'webpack@5.113.0',
  'webpack-cli@7.3.1',
  'vite@8.3.8',
]
