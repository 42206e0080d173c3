import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases, isDeep } from '../depth.ts'
import { startNext, type NextServer } from './next-server.ts'
import { digestsOf, installByNpm, pack, run, usualResults, type Packed } from './packed.ts'

/* Bundles run in a folder without the package: they leave the bytes that it leaves where it is installed. */
describe.runIf(isDeep)('the library in a bundle', () => {
  let packed: Packed
  let usual: Record<string, string>
  let project: string

  beforeAll(async () => {
    packed = await pack(cases(2000))
    usual = await usualResults(packed)
    project = await installByNpm(packed, 'bundlers', ...bundlers)
  }, 600_000)

  test.each(['esm', 'cjs'])('esbuild, as %s, takes the worker threads along', async (format) => {
    const file = `esbuild-${format}/main.${format === 'esm' ? 'mjs' : 'cjs'}`
    const args = ['--bundle', '--platform=node', `--format=${format}`, `--outfile=${file}`]
    await run(join(project, 'node_modules/.bin/esbuild'), ['main.mjs', ...args, '--log-level=error'], project)
    const { stderr, results } = await runAlone(file, ['--require', join(import.meta.dirname, 'report-workers.cjs')])
    expect(stderr).toBe('a thread started\na thread started\n')
    expect(results).toEqual(usual)
  })

  test('rollup makes a bundle that runs', async () => {
    await bundleBy('rollup', rollupScript)
    expect((await runAlone('rollup/main.mjs')).results).toEqual(usual)
  })

  test('webpack makes a bundle that runs, without a warning', async () => {
    expect(await bundleBy('webpack', webpackScript)).toBe('')
    expect((await runAlone('webpack/main.cjs')).results).toEqual(usual)
  }, 900_000)

  test('vite makes a bundle that runs', async () => {
    await bundleBy('vite', viteScript)
    expect((await runAlone('vite/main.mjs')).results).toEqual(usual)
  })

  async function bundleBy(name: string, script: string): Promise<string> {
    await writeFile(join(project, `${name}.mjs`), script)
    return (await run(execPath, [`${name}.mjs`], project)).stdout
  }

  async function runAlone(file: string, options: readonly string[] = []) {
    const alone = join(packed.folder, 'alone', file)
    await cp(join(project, file, '..'), join(alone, '..'), { recursive: true })
    await mkdir(join(alone, '../out'))
    const { stderr } = await run(execPath, [...options, alone, packed.input, join(alone, '../out')], packed.folder)
    return { stderr, results: await digestsOf(join(alone, '../out')) }
  }
})

describe.runIf(isDeep)('the library in a route of Next', () => {
  let server: NextServer | undefined
  afterAll(() => server?.stop())

  test('a standalone server answers, and leaves what a script leaves', async () => {
    const packed = await pack(cases(2000))
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
  'vite@8.3.8',
]

const rollupScript = `
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { rollup } from 'rollup'
const bundle = await rollup({ input: 'main.mjs', plugins: [nodeResolve({ preferBuiltins: true })] })
await bundle.write({ dir: 'rollup', format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' })
`

const webpackScript = `
import webpack from 'webpack'
const output = { path: process.cwd() + '/webpack', filename: 'main.cjs' }
webpack({ mode: 'production', target: 'node', entry: './main.mjs', output }, (error, stats) => {
  if (error) throw error
  process.stdout.write(stats.toString({ preset: 'errors-warnings' }).replace(/^webpack compiled successfully\\s*$/, ''))
})
`

const viteScript = `
import { build } from 'vite'
const output = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' }
const options = { ssr: 'main.mjs', outDir: 'vite', rolldownOptions: { output } }
await build({ configFile: false, logLevel: 'error', build: options, ssr: { noExternal: true } })
`
