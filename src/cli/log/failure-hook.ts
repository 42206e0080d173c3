import { spawn } from 'node:child_process'
import { logEvent, type Terminal } from '../terminal.ts'

export interface FailureHookOptions {
  /** Run by the shell. */
  readonly command: string
  /** Written to the command's standard input as JSON, as `--json` writes it. */
  readonly document: unknown
  readonly exitCode: number
  readonly timeoutMs?: number
}

interface HookEnd {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  /** Why the command could not be started; null if it ran. */
  readonly failure: string | null
  readonly isTimedOut: boolean
  /** The beginning of the command's output, at most 16 Ki characters. */
  readonly output: string
}

/**
 * Runs the command of `--on-failure` and logs how it ended. Never throws: the failure itself decides the exit code. The
 * command has the environment of this process and CATALOGUE_ETL_EXIT_CODE, but no variable of env files. It is stopped,
 * with all its child processes, after `timeoutMs`.
 */
export async function runFailureHook(options: FailureHookOptions, terminal: Terminal): Promise<void> {
  const { timeoutMs = 60_000 } = options
  const end = await runHook({ ...options, timeoutMs }, terminal)
  const isWell = end.status === 0
  const text = `--on-failure: ${formatEnd(end, timeoutMs)}${end.output === '' ? '' : `\n${end.output.trimEnd()}`}`
  const { status, signal, output } = end
  const event = isWell ? 'hook.finished' : 'hook.failed'
  const message = `--on-failure: ${formatEnd(end, timeoutMs)}`
  logEvent(terminal, { level: isWell ? 'info' : 'error', event, message, status, signal, output }, () => text)
}

function formatEnd({ status, signal, failure, isTimedOut }: HookEnd, timeoutMs: number): string {
  if (failure !== null) return `the command could not be started: ${failure}`
  if (isTimedOut) return `the command was stopped because it took longer than ${timeoutMs / 1000} s`
  if (signal !== null) return `the command was ended by ${signal}`
  return status === 0 ? 'the command was run' : `the command ended with ${status}`
}

async function runHook(
  { command, document, exitCode, timeoutMs }: FailureHookOptions & { readonly timeoutMs: number },
  { env }: Terminal,
): Promise<HookEnd> {
  const child = spawn(command, {
    shell: true,
    env: { ...env, CATALOGUE_ETL_EXIT_CODE: `${exitCode}` },
    stdio: 'pipe',
    // A process group of its own, so that its child processes can be stopped too.
    detached: process.platform !== 'win32',
  })
  let output = ''
  const listen = (chunk: Buffer): void => {
    if (output.length < mostOutput) output += chunk.toString().slice(0, mostOutput - output.length)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  // A command that does not read the report closes the pipe.
  child.stdin.on('error', () => undefined)
  child.stdin.end(`${JSON.stringify(document, null, 2)}\n`)
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    stop(child.pid)
    // Processes that have left the group may still hold the pipes.
    child.stdout.destroy()
    child.stderr.destroy()
  }, timeoutMs)
  const end = await new Promise<Omit<HookEnd, 'output' | 'isTimedOut'>>((resolve) => {
    child.on('error', (error) => resolve({ status: null, signal: null, failure: error.message }))
    child.on('close', (status, signal) => resolve({ status, signal, failure: null }))
  })
  clearTimeout(timer)
  return { ...end, isTimedOut, output }
}

const mostOutput = 16_384

function stop(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
