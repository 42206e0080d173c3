import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

// Runs the compiler as a process: its types would change those of JavaScript's own lists, everywhere.
test.each([
  ['src/scan/scan.wasm', 'wasm:scan'],
  ['src/encode/digest.wasm', 'wasm:digest'],
  ['src/formats/parquet/pages.wasm', 'wasm:pages'],
])('built %s is what `npm run %s` makes of wasm/', { timeout: 60_000 }, async (path, name) => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>
  }
  const folder = await mkdtemp(join(tmpdir(), 'wasm-'))
  const built = join(folder, basename(path))
  const [compiler = '', ...args] = scripts[name]?.replace(path, built).split(' ') ?? []
  expect(compiler).toBe('asc')
  const script = join(root, 'node_modules/assemblyscript/bin/asc.js')
  await promisify(execFile)(process.execPath, [script, ...args], { cwd: root })
  const [made, committed] = [await readFile(built), await readFile(join(root, path))]
  expect(made.equals(committed)).toBe(true)
  await rm(folder, { recursive: true })
})
