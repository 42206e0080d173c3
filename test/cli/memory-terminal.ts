import { Readable, Writable } from 'node:stream'
import { runCli } from '../../src/cli/run-cli.ts'
import { forcedWorkers } from '../forced-workers.ts'
import type { ProcessEnd } from './built-cli.ts'

export interface CliResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
  readonly columns?: number
  readonly signal?: AbortSignal
  /** `text`, the default, adds `--log text` to the commands that a scheduler calls. */
  readonly log?: 'text' | 'default'
}

/** Runs a command line over streams in memory. */
export async function runInMemory(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const {
    stdin = '',
    env = {},
    isTTY = false,
    columns = 100,
    signal = new AbortController().signal,
    log = 'text',
  } = options
  const stdout = new TextSink(isTTY, columns)
  const stderr = new TextSink(isTTY, columns)
  const isLogged = ['run', 'fetch', 'backfill'].includes(argv[0] ?? '') && !isTTY && log === 'text'
  const exitCode = await runCli(isLogged ? withTextLog(argv) : argv, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    env: { ...forcedWorkers, ...env },
    signal,
  })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

/** Inserts it as the first option, since the last one may lack its value. */
function withTextLog([command = '', ...rest]: readonly string[]): string[] {
  return [command, '--log', 'text', ...rest]
}

class TextSink extends Writable {
  readonly isTTY: boolean
  readonly columns: number
  text = ''

  constructor(isTTY: boolean, columns: number) {
    super({ decodeStrings: true })
    this.isTTY = isTTY
    this.columns = columns
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

/** Runs a command line as a process in that folder would, but in this process, with a tenth of the CPU time. */
export async function runInFolder(cwd: string, argv: readonly string[], options: CliOptions = {}): Promise<ProcessEnd> {
  const before = process.cwd()
  process.chdir(cwd)
  try {
    const { exitCode, ...texts } = await runInMemory(argv, { columns: 80, log: 'default', ...options })
    return { code: exitCode, signal: null, ...texts }
  } finally {
    process.chdir(before)
  }
}
