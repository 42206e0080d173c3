import type { Readable, Writable } from 'node:stream'
import { createColors } from 'picocolors'

/** Everything outside of the process that a command touches. */
export interface Terminal {
  readonly stdin: Readable
  /** Data, or one JSON document. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Everything for people. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal
}

/** What a command's action tells whoever runs the command line: the exit code of the process. */
export type Finish = (exitCode: number) => void

export type Colors = ReturnType<typeof createColors>

/** Colors for what goes to `stream`: on a terminal, unless NO_COLOR is set. */
export function colorsFor(stream: Terminal['stderr'], env: Terminal['env']): Colors {
  return createColors(stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb')
}

/** Writes a line for people. */
export function say(terminal: Terminal, text: string): void {
  terminal.stderr.write(`${text}\n`)
}

/** Writes one JSON document. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}
