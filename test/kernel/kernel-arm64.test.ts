import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep, isFull } from '../depth.ts'
import { RunsOfKernels } from './runs-of-kernels.ts'

/* The binary for Linux on arm64, by a Node of that platform in an emulator. */

const libraries = '/usr/aarch64-linux-gnu'
const { CATALOGUE_ARM64_NODE = '', CATALOGUE_REQUIRE_ARM64 } = process.env
const node = ['qemu-aarch64-static', '-L', libraries, CATALOGUE_ARM64_NODE]
const canRun =
  CATALOGUE_REQUIRE_ARM64 === '1' ||
  (CATALOGUE_ARM64_NODE !== '' &&
    existsSync(`${libraries}/lib/libstdc++.so.6`) &&
    spawnSync('qemu-aarch64-static', ['--version']).status === 0)

describe.skipIf(!isDeep || !canRun)('the kernel on arm64', () => {
  let runs: RunsOfKernels

  beforeAll(async () => {
    runs = await RunsOfKernels.create(300)
  })

  afterAll(() => runs.folder.remove())

  test('is native code', { timeout: 300_000 }, async () => {
    const { stdout } = await runs.cli.start(['--version'], { node }).end()
    expect(stdout).toMatch(/^\S+\nkernel: native code for linux-arm64\n$/)
  })

  test('writes the same bytes as here, as native code', { timeout: 900_000 }, async () => {
    const here = await runs.run('reference')
    expect(here.tables.length).toBeGreaterThan(60)
    expect(await runs.run('native', { node })).toEqual({ ...here, tool: 'native' })
    expect(await runs.run('native', { node, workers: 2 })).toEqual({ ...here, tool: 'native' })
  })

  // The emulator takes minutes to compile it.
  test.runIf(isFull)('writes the same bytes as here, as WebAssembly', { timeout: 900_000 }, async () => {
    expect(await runs.run('wasm', { node })).toEqual({ ...(await runs.run('reference')), tool: 'wasm' })
  })
})
