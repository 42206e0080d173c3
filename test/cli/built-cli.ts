import { spawn } from 'node:child_process'
import { copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../build/bundle.ts'
import { forcedWorkers } from '../forced-workers.ts'
import { makeOnce } from '../make-once.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The executable as shipped, bundled into a temporary folder once for all test files. */
export class BuiltCli {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async build(): Promise<BuiltCli> {
    return new BuiltCli(await makeOnce('cli', buildPackage))
  }

  /** Starts the command with its standard input open; see `CliProcess`. */
  start(args: readonly string[], options: StartOptions = {}): CliProcess {
    return new CliProcess(this.path, args, options)
  }
}

async function buildPackage(folder: string): Promise<string> {
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  for (const name of ['pipelines', 'spark']) await symlink(join(root, name), join(folder, name))
  await bundle(join(folder, 'dist'))
  return join(folder, 'dist/cli.js')
}

interface StartOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** The command that starts Node, if it is not that of the tests. */
  readonly node?: readonly string[]
}

export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A running command line. Its standard input is open until `end` or `feed` with an end. */
export class CliProcess {
  readonly #child
  readonly #stdout: Buffer[] = []
  readonly #stderr: Buffer[] = []
  #writtenBytes = 0
  readonly ended: Promise<ProcessEnd>

  constructor(path: string, args: readonly string[], { cwd, env = {}, node = [process.execPath] }: StartOptions) {
    const [program = '', ...before] = node
    const child = spawn(program, [...before, path, ...args], {
      cwd,
      env: { PATH: process.env['PATH'], ...forcedWorkers, ...env },
    })
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    // A process that ended does not read its input.
    child.stdin.on('error', () => undefined)
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal, stdout: this.stdout, stderr: this.stderr }))
    })
  }

  get stdout(): string {
    return Buffer.concat(this.#stdout).toString()
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString()
  }

  write(text: string | Uint8Array): void {
    this.#writtenBytes += Buffer.byteLength(text)
    this.#child.stdin.write(text)
  }

  /** Resolves once the process has read that many bytes of its standard input. */
  async hasRead(bytes: number): Promise<void> {
    while (this.#writtenBytes - this.#child.stdin.writableLength < bytes) await sleep(5)
  }

  /** Ends standard input and waits for the end of the process. */
  async end(text = ''): Promise<ProcessEnd> {
    this.#child.stdin.end(text)
    return this.ended
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Closes the reading ends of its outputs, as `head` does. */
  closeOutputs(...names: readonly ('stdout' | 'stderr')[]): void {
    for (const name of names) this.#child[name].destroy()
  }

  /** Resolves with the first piece of standard output. */
  async firstOutput(): Promise<void> {
    if (this.#stdout.length === 0) await new Promise((resolve) => this.#child.stdout.once('data', resolve))
  }
}
