import { Readable, Writable } from 'node:stream'
import { runCli } from '../../src/cli/run-cli.ts'

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
}

/** Runs a command line over streams in memory. */
export async function runInMemory(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { stdin = '', env = {}, isTTY = false, columns = 100, signal = new AbortController().signal } = options
  const stdout = new TextSink(isTTY, columns)
  const stderr = new TextSink(isTTY, columns)
  const exitCode = await runCli(argv, { stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr, env, signal })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
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
