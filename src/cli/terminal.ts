import type { Readable, Writable } from 'node:stream'
import type { RequiredContext } from '../run-context.ts'
import { createColors } from 'picocolors'
import { escapeJson, escapeLayout } from '../text/escape-controls.ts'
import { wrapLines } from './render/wrap-lines.ts'

/** Everything outside of the process that a command touches. */
export interface Terminal extends RequiredContext<'env' | 'signal'> {
  readonly stdin: Readable
  /** Data, or one JSON document. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Everything for people. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Takes everything for people in place of `stderr`. */
  readonly log?: EventLog
}

export const logFormats = ['text', 'json', 'none'] as const

export type LogFormat = (typeof logFormats)[number]

/** An event, as a line of JSON has it. */
export interface LoggedEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** `run.published` */
  readonly event: string
  /** The event in words, beside the fields. */
  readonly message: string
  readonly [field: string]: unknown
}

/** The destination of everything that a command logs. */
export interface EventLog {
  readonly format: LogFormat
  /** Called once for each event. `text` is the event for people. */
  write(event: LoggedEvent, text: () => string): void
}

export type Colors = ReturnType<typeof createColors>

/** Colors for what goes to `stream`: on a terminal, unless NO_COLOR is set. */
export function colorsFor(stream: Terminal['stderr'], env: Terminal['env']): Colors {
  return createColors(stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb')
}

/** The width of a terminal; undefined for what is none, and for one that does not know its width and says 0. */
export function columnsOf({ isTTY, columns }: Terminal['stderr']): number | undefined {
  return isTTY === true && columns !== 0 ? columns : undefined
}

/** Logs a text: a line on stderr, a note in a log of events. */
export function log(terminal: Terminal, text: string): void {
  logEvent(terminal, { level: 'info', event: 'note', message: text }, () => text)
}

/** Logs an event: the text on stderr, the event in a log of events. */
export function logEvent({ log: eventLog, stderr, env }: Terminal, event: LoggedEvent, text: () => string): void {
  if (eventLog === undefined) stderr.write(`${toShown(text(), stderr, env)}\n`)
  else eventLog.write(event, text)
}

/** Writes text for people to stdout. */
export function print({ stdout, env }: Terminal, text: string): void {
  stdout.write(`${toShown(text, stdout, env)}\n`)
}

/**
 * Text without a control character but line breaks, tabs and the colors that the stream may have; on a terminal in lines of its
 * width.
 */
export function toShown(text: string, stream: Terminal['stderr'], env: Terminal['env']): string {
  const shown = escapeLayout(text, colorsFor(stream, env).isColorSupported)
  const columns = columnsOf(stream)
  return columns === undefined ? shown : wrapLines(shown, columns)
}

/** Writes one JSON document. */
export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${escapeJson(JSON.stringify(document, null, 2))}\n`)
}
