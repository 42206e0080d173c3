import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { buildChild } from '../built-child.ts'
import type { ChildLoad } from './killed-lake-child.ts'

export interface StartedLoad {
  readonly child: ChildProcess
  /** Resolves to whether the load has ended by itself. */
  readonly ended: Promise<boolean>
}

/** Starts a load in a process of its own, which is killed or ends. `loadFolder` is made for its files. */
export async function startLakeChild(load: ChildLoad, loadFolder: string): Promise<StartedLoad> {
  await mkdir(loadFolder)
  const child = spawn(process.execPath, [await buildChild('killed-lake-child.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LOAD_FOLDER: loadFolder },
  })
  return { child, ended: waitFor(child) }
}

async function waitFor(child: ChildProcess): Promise<boolean> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`expected SIGKILL, got exit code ${code}: ${said}`)
  return code === 0
}
