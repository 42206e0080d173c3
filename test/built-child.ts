import { copyFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundleEntries } from '../build/bundle.ts'
import { makeOnce } from './make-once.ts'

/**
 * The path of a script of the tests, such as `reading-child.ts`, bundled with all that it imports: it starts in a tenth of
 * the time that its sources take.
 */
export async function buildChild(script: string): Promise<string> {
  const folder = await makeOnce('children', bundleChildren)
  return join(folder, `${basename(script, '.ts')}.js`)
}

async function bundleChildren(folder: string): Promise<string> {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const scripts = files.filter((file) => file.endsWith('-child.ts'))
  const entries = scripts.map((file) => [basename(file, '.ts'), join(import.meta.dirname, file)] as const)
  const worker = { 'encode-worker': join(import.meta.dirname, '../src/kernel/encode/encode-worker.ts') }
  await copyFile(join(import.meta.dirname, '../package.json'), join(folder, 'package.json'))
  await bundleEntries(join(folder, 'dist'), { ...Object.fromEntries(entries), ...worker })
  return join(folder, 'dist/bundle')
}
