import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isDeep } from '../depth.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const kernel = join(root, 'kernel')
/** True if cargo and the toolchain that the kernel names are there. */
const hasCargo =
  process.env['CATALOGUE_REQUIRE_CARGO'] === '1' || spawnSync('cargo', ['--version'], { cwd: kernel }).status === 0

describe.skipIf(!isDeep)('the WebAssembly of the repository', () => {
  test.skipIf(!hasCargo)('kernel.wasm is what its sources make, in any folder', { timeout: 300_000 }, async () => {
    const target = await mkdtemp(join(tmpdir(), 'kernel-'))
    const args = ['build', '--release', '--locked', '--target', 'wasm32-unknown-unknown', '-p', 'wasm']
    await run('cargo', [...args, '--target-dir', target], { cwd: kernel })
    const made = await readFile(join(target, 'wasm32-unknown-unknown/release/wasm.wasm'))
    expect(made.equals(await readFile(join(root, 'src/records/memory/kernel.wasm')))).toBe(true)
    await rm(target, { recursive: true })
  })

  test('zstd.wasm is what `npm run wasm:zstd` makes', { timeout: 120_000 }, async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>
    }
    const folder = await mkdtemp(join(tmpdir(), 'wasm-'))
    const built = join(folder, 'zstd.wasm')
    const [, ...args] = scripts['wasm:zstd']?.replace('build/zstd.wasm', built).split(' ') ?? []
    await run(process.execPath, [join(root, 'node_modules/binaryen/bin/wasm-opt'), ...args], { cwd: root })
    expect((await readFile(built)).equals(await readFile(join(root, 'build/zstd.wasm')))).toBe(true)
    await rm(folder, { recursive: true })
  })
})
