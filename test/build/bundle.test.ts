import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../build/bundle.ts'
import packageJson from '../../package.json' with { type: 'json' }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  await bundle(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the bundles', () => {
  test('load no package that an installation does not bring', async () => {
    const { dependencies, peerDependencies } = packageJson
    const installed = new Set(Object.keys({ ...dependencies, ...peerDependencies }))
    const files = (await readdir(folder, { recursive: true })).filter((file) => /\.c?js$/.test(file))
    const loaded = await Promise.all(files.map(async (file) => listLoaded(await readFile(join(folder, file), 'utf8'))))
    const others = new Set(loaded.flat().filter((name) => !installed.has(name)))
    // Optional to those that ask for them, and not used: a driver of pg in C, patterns of fdir.
    expect([...others].toSorted()).toEqual(['pg-native', 'picomatch'])
  })

  test('come with the licence of every package in them', async () => {
    const licenses = await readFile(join(folder, 'bundle/LICENSES.txt'), 'utf8')
    for (const name of ['commander', 'pg', 'pg-copy-streams', 'pino', 'undici', 'yaml', 'zod']) {
      expect(licenses).toMatch(new RegExp(`^${name}\n\n.*\n*.*Copyright`, 'm'))
    }
  })
})

/** The packages that a module imports or requires; those that its comments name are none. */
function listLoaded(code: string): string[] {
  const lines = code.split('\n').filter((line) => !/^\s*(?:\*|\/)/.test(line))
  const names = lines.flatMap((line) => [
    ...line.matchAll(
      /^import .*?"([^"]+)";$|\bimport\("([^"]+)"\)|require\w*(?:\(import\.meta\.url\))?\("([^"]+)"\)/gi,
    ),
  ])
  return names
    .map(([, imported, loaded, required]) => imported ?? loaded ?? required ?? '')
    .filter((name) => !/^(?:\.|node:)/.test(name) && !isBuiltin(name))
}
