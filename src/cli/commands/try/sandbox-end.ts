import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { CatalogueError } from '../../../errors.ts'
import type { Terminal } from '../../terminal.ts'

export interface EndOptions {
  /** The sandbox ends by itself after so many milliseconds. */
  readonly forMs: number | undefined
  readonly parentId: () => number
}

/**
 * Resolves if the sandbox is to end: the process is interrupted, its time is over, or the npx that started it is gone.
 */
export async function waitForEnd(
  { signal, env }: Pick<Terminal, 'signal' | 'env'>,
  { forMs, parentId }: EndOptions,
): Promise<'interrupted' | 'time' | 'npx'> {
  const waiting = new AbortController()
  const stop = AbortSignal.any([signal, waiting.signal])
  const ends: Promise<'interrupted' | 'time' | 'npx'>[] = [untilAborted(stop).then(() => 'interrupted')]
  if (forMs !== undefined) ends.push(wait(forMs, 'time' as const, { signal: stop }))
  if (isRunByNpx(env)) ends.push(untilParentGoes(parentId, stop).then(() => 'npx'))
  try {
    return await Promise.race(ends)
  } catch (error) {
    if (!signal.aborted) throw error
    return 'interrupted'
  } finally {
    waiting.abort()
    await Promise.allSettled(ends)
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/**
 * True if npx started this very command. A killed npx ends its shell but not the command. The end of another parent
 * means nothing: scripts and steps of a CI job start a sandbox and end.
 */
function isRunByNpx(env: Terminal['env']): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env
  return event === 'npx' && script.includes('catalogue-etl')
}

const parentCheckMs = 500

async function untilParentGoes(parentId: () => number, signal: AbortSignal): Promise<void> {
  const parent = parentId()
  while (parentId() === parent) await wait(parentCheckMs, undefined, { signal })
}

/**
 * Runs a command with these variables in its environment and resolves with its exit code. It is asked to stop when the
 * process is interrupted. Throws USAGE if there is no such command.
 */
export async function runBeside(
  [command = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  { env, signal }: Pick<Terminal, 'env' | 'signal'>,
): Promise<number> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...env, ...variables },
    // On Windows, a command such as npm is a script, which only a shell can start.
    shell: process.platform === 'win32',
  })
  const stop = (): void => void child.kill('SIGTERM')
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy])
  } catch (error) {
    const message = `the command after --: expected a program to run, got "${command}": ${(error as Error).message}`
    throw new CatalogueError('USAGE', message, { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
