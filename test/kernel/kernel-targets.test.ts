import { existsSync } from 'node:fs'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CliProcess } from '../cli/built-cli.ts'
import { cases } from '../depth.ts'
import { RunsOfKernels } from './runs-of-kernels.ts'

/* The same runs on native code, on WebAssembly, and on the reference path. */

const binary = `kernel-${process.platform}-${process.arch}.node`
const hasBinary = existsSync(join(import.meta.dirname, '../../src/records/memory', binary))

let runs: RunsOfKernels

beforeAll(async () => {
  runs = await RunsOfKernels.create(cases(5000, 300))
})

afterAll(() => runs.folder.remove())

describe('the kernel', () => {
  test.skipIf(!hasBinary)('writes the same bytes as native code, as WebAssembly and without one', async () => {
    const native = await runs.run('native')
    expect(native.tables.length).toBeGreaterThan(60)
    expect(await runs.run('wasm')).toEqual({ ...native, tool: 'wasm' })
    expect(await runs.run('reference')).toEqual({ ...native, tool: 'reference' })
    expect(await runs.run('native', { workers: 2 })).toEqual(native)
  })

  test.skipIf(!hasBinary)('is WebAssembly if the binary can not be loaded, and --version says why', async () => {
    const { cli, folder } = runs
    const copy = folder.at('package')
    await cp(join(cli.path, '../..'), copy, { recursive: true, filter: (path) => !path.endsWith('.node') })
    await symlink(join(import.meta.dirname, '../../node_modules'), join(copy, 'node_modules'))
    const ask = (kernel: string) =>
      new CliProcess(join(copy, 'dist/cli.js'), ['--version'], { env: { CATALOGUE_KERNEL: kernel } }).end()
    expect((await ask('')).stdout).toMatch(
      /^\S+\nkernel: WebAssembly \(no native code for \w+-\w+: Cannot find module .*\)\n$/,
    )
    expect(await ask('native')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /CATALOGUE_KERNEL: expected native code for \w+-\w+, got none: Cannot find/,
      ) as string,
    })
  })

  test('is refused by another name before anything is read', async () => {
    const { cli, folder, config } = runs
    const { code, stderr } = await cli
      .start(['run', config], { cwd: folder.path, env: { CATALOGUE_KERNEL: 'fast' } })
      .end()
    expect(code).toBe(2)
    expect(stderr).toContain('CATALOGUE_KERNEL: expected native, wasm or reference, got "fast"')
  })
})
