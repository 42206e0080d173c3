import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isDeep } from '../../depth.ts'

const root = join(import.meta.dirname, '../../..')

// Runs the compiler as a process, because its types would change JavaScript's lists everywhere.
describe.skipIf(!isDeep)('the WebAssembly of the repository', () => {
  test.concurrent.each([
    ['src/kernel/scan/scan.wasm', 'wasm:scan', 'asc', 'assemblyscript/bin/asc.js'],
    ['src/kernel/encode/digest.wasm', 'wasm:digest', 'asc', 'assemblyscript/bin/asc.js'],
    ['src/formats/parquet/pages.wasm', 'wasm:pages', 'asc', 'assemblyscript/bin/asc.js'],
    ['build/zstd.wasm', 'wasm:zstd', 'wasm-opt', 'binaryen/bin/wasm-opt'],
  ])('built %s is what `npm run %s` makes', { timeout: 120_000 }, async (path, name, command, script) => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>
    }
    const folder = await mkdtemp(join(tmpdir(), 'wasm-'))
    const built = join(folder, basename(path))
    const [compiler = '', ...args] = scripts[name]?.replace(path, built).split(' ') ?? []
    expect(compiler).toBe(command)
    await promisify(execFile)(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root })
    const [made, committed] = [await readFile(built), await readFile(join(root, path))]
    expect(made.equals(committed)).toBe(true)
    await rm(folder, { recursive: true })
  })
})
