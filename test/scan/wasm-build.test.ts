import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

// As a process: the compiler's types would change those of JavaScript's own lists, everywhere.
test('src/scan/scan.wasm is what `npm run wasm` makes of assembly/', { timeout: 60_000 }, async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { wasm: string } }
  const folder = await mkdtemp(join(tmpdir(), 'wasm-'))
  const built = join(folder, 'scan.wasm')
  const [compiler = '', ...args] = scripts.wasm.replace('src/scan/scan.wasm', built).split(' ')
  expect(compiler).toBe('asc')
  const script = join(root, 'node_modules/assemblyscript/bin/asc.js')
  await promisify(execFile)(process.execPath, [script, ...args], { cwd: root })
  const [made, committed] = [await readFile(built), await readFile(join(root, 'src/scan/scan.wasm'))]
  expect(made.equals(committed)).toBe(true)
  await rm(folder, { recursive: true })
})
