import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')

/** Compiles a script of the tests, and what it imports, into a folder; resolves with both. */
export async function buildChild(script: string): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'built-child-'))
  const target = [
    '--rootDir',
    root,
    '--outDir',
    folder,
    '--noEmit',
    'false',
    '--module',
    'nodenext',
    '--target',
    'es2023',
  ]
  const imports = ['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions', '--types', 'node']
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '--ignoreConfig', '--skipLibCheck', ...target, ...imports, script])
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return { folder, path: join(folder, relative(root, script).replace(/\.ts$/, '.js')) }
}
