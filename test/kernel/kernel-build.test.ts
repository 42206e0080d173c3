import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isDeep } from '../depth.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const kernel = join(root, 'kernel')
const isRequired = process.env['CATALOGUE_REQUIRE_CARGO'] === '1'
/** True if cargo, zig, and the toolchain that the kernel names are there. */
const canBuild = isRequired || [['--version'], ['zigbuild', '--version']].every((args) => isThere('cargo', args))

function isThere(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: kernel }).status === 0
}

describe.skipIf(!isDeep)('the binaries of the repository', () => {
  test.skipIf(!canBuild)('those of the kernel are what its sources make', { timeout: 900_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kernel-'))
    const env = { ...process.env, CARGO_TARGET_DIR: join(folder, 'target') }
    await run(join(kernel, 'build'), ['--all', join(folder, 'made')], { env })
    const committed = join(root, 'src/records/memory')
    const names = (await readdir(committed)).filter((name) => /^kernel.*\.(?:node|wasm)$/.test(name))
    expect(await readdir(join(folder, 'made'))).toEqual(names)
    for (const name of names) {
      const made = await readFile(join(folder, 'made', name))
      expect({ name, isSame: made.equals(await readFile(join(committed, name))) }).toEqual({ name, isSame: true })
    }
    await rm(folder, { recursive: true })
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
