import { existsSync, readdirSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { TestProject } from 'vitest/node'
import { bundleEntries } from '../build/bundle.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What `makeOnce` makes is in folders of this one. */
    sharedFolder: string
  }
}

/** Gives all test files of a run a folder; at the end, stops the servers whose process id, and the signal if it is not SIGINT, is in a file `pid` there. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tests-'))
  // Servers run as other users.
  await chmod(folder, 0o711)
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'), 'junction')
  project.provide('sharedFolder', folder)
  await bundleWorker(folder)
  project.onTestsRerun(() => bundleWorker(folder))
  return async () => {
    await Promise.all(readdirSync(folder).map((name) => stop(join(folder, name, 'pid'))))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Bundles the worker threads of runs within a test's process, whose sources take seconds to load. */
async function bundleWorker(folder: string): Promise<void> {
  const entry = join(import.meta.dirname, '../src/kernel/encode/encode-worker.ts')
  const name = 'encode-worker'
  await mkdir(join(folder, name), { recursive: true })
  await copyFile(join(import.meta.dirname, '../package.json'), join(folder, name, 'package.json'))
  await bundleEntries(join(folder, name, 'dist'), { [name]: entry })
  process.env['CATALOGUE_TEST_ENCODE_WORKER'] = pathToFileURL(join(folder, name, 'dist/bundle', `${name}.js`)).href
}

async function stop(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const [id, signal = 'SIGINT'] = (await readFile(pidFile, 'utf8')).split(' ')
  const pid = Number(id)
  process.kill(pid, signal)
  while (isRunning(pid)) await sleep(20)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
