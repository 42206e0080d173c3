import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/**
 * Writes the declarations of the library's entries to a folder such as `dist/types`, with those that they name: a fifth of
 * all that the compiler writes. Throws where they name a package that an installation does not bring.
 */
export async function writeTypes(folder: string, entries: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const all = await mkdtemp(`${folder}-`)
  try {
    await promisify(execFile)('tsc', ['-p', 'tsconfig.build.json', '--outDir', all])
    for (const path of await listNamed(entries.map((entry) => join(all, `${entry}.d.ts`)))) {
      const target = join(folder, relative(all, path))
      await mkdir(dirname(target), { recursive: true })
      await copyFile(path, target)
    }
  } finally {
    await rm(all, { recursive: true })
  }
}

/** The paths of declarations and of all others that they import. */
async function listNamed(entries: readonly string[]): Promise<Iterable<string>> {
  const paths = new Set(entries)
  // A set also iterates over what is added meanwhile.
  for (const path of paths) {
    const text = await readFile(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) paths.add(join(dirname(path), name.replace(/\.ts$/, '.d.ts')))
      else if (!/^(?:zod|node:)/.test(name))
        throw new Error(`${path}: expected declarations of zod or Node, got ${name}`)
    }
  }
  return paths
}
