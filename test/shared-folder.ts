import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** What `makeOnce` makes is in folders of this one. */
    sharedFolder: string
  }
}

/** Gives all test files of a run a folder; at the end, stops the servers whose process id is in a file `pid` there. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'tests-'))
  // Servers run as other users.
  await chmod(folder, 0o711)
  await symlink(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'), 'junction')
  project.provide('sharedFolder', folder)
  return async () => {
    await Promise.all(readdirSync(folder).map((name) => stop(join(folder, name, 'pid'))))
    await rm(folder, { recursive: true, force: true })
  }
}

async function stop(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return
  const pid = Number(await readFile(pidFile, 'utf8'))
  process.kill(pid, 'SIGINT')
  while (isRunning(pid)) await sleep(20)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
