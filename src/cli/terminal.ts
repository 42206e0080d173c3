import type { Readable, Writable } from 'node:stream'
import type { RequiredContext } from '../run-context.ts'
import { createColors } from 'picocolors'
import { escapeJson, escapeLayout } from '../text/escape-controls.ts'
import { wrapLines } from './render/wrap-lines.ts'

/** A command's surroundings: streams, environment and signals. */
export interface Terminal extends RequiredContext<'env' | 'signal'> {
  readonly stdin: Readable
  /** For data, or one JSON document. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** For messages to people. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Takes all messages to people instead of `stderr`. */
  readonly log?: EventLog
  /** True if no code of a config may run, as an assistant calls. */
  readonly refusesCode?: true
}

export const logFormats = ['text', 'json', 'none'] as const

export type LogFormat = (typeof logFormats)[number]

/** An event of the log, with the fields of its JSON line. */
export interface LoggedEvent {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly message: string
  readonly [field: string]: unknown
}

export interface EventLog {
  readonly format: LogFormat
  /** Writes one event. `text` is the event for people. */
  write(event: LoggedEvent, text: () => string): void
}

export type Colors = ReturnType<typeof createColors>

/** The colors for a stream: enabled on a terminal, unless NO_COLOR is set. */
export function colorsFor(stream: Terminal['stderr'], env: Terminal['env']): Colors {
  return createColors(stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb')
}

/** The width of a terminal; undefined if the stream is none, or if it does not know its width and says 0. */
export function columnsOf({ isTTY, columns }: Terminal['stderr']): number | undefined {
  return isTTY === true && columns !== 0 ? columns : undefined
}

/** Logs a text: as a line on stderr, or as a note in a log of events. */
export function log(terminal: Terminal, text: string): void {
  logEvent(terminal, { level: 'info', event: 'note', message: text }, () => text)
}

/** Logs an event: its text on stderr, or the event in a log of events. */
export function logEvent({ log: eventLog, stderr, env }: Terminal, event: LoggedEvent, text: () => string): void {
  if (eventLog === undefined) stderr.write(`${toShown(text(), stderr, env)}\n`)
  else eventLog.write(event, text)
}

export function print({ stdout, env }: Terminal, text: string): void {
  stdout.write(`${toShown(text, stdout, env)}\n`)
}

/**
 * Removes control characters other than line breaks, tabs and the colors that the stream may have; wraps lines to the
 * width of a terminal.
 */
export function toShown(text: string, stream: Terminal['stderr'], env: Terminal['env']): string {
  const shown = escapeLayout(text, colorsFor(stream, env).isColorSupported)
  const columns = columnsOf(stream)
  return columns === undefined ? shown : wrapLines(shown, columns)
}

export function writeJson(terminal: Terminal, document: unknown): void {
  terminal.stdout.write(`${escapeJson(JSON.stringify(document, null, 2))}\n`)
}
