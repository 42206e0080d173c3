import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { readToolVersion } from '../../package-file.ts'
import type { Command } from '../command.ts'
import { logFormats, type EventLog, type LogFormat, type Terminal } from '../terminal.ts'

export interface JsonLogOptions {
  readonly command: string
  readonly isQuiet: boolean
}

/** Writes each event as a line of JSON: level, time, version, pid, hostname, command, event, its fields, and `msg`. */
export function createJsonLog(stream: Terminal['stderr'], { command, isQuiet }: JsonLogOptions): EventLog {
  let logger: Logger | undefined
  return {
    format: 'json',
    write({ level, message, ...fields }) {
      if (isQuiet && level === 'info') return
      logger ??= createLogger(stream, command)
      logger[level](fields, message)
    },
  }
}

/** Loads the logger on demand: a quiet run without problems does not need it. */
function createLogger(stream: Terminal['stderr'], command: string): Logger {
  const { pino, stdTimeFunctions } = createRequire(import.meta.url)('pino') as typeof import('pino')
  const options = { timestamp: stdTimeFunctions.isoTime, formatters: { level: (level: string) => ({ level }) } }
  return pino(options, stream).child({ version: readToolVersion().version, command })
}

/**
 * Adds the log requested by `--log` to the terminal. Without `--log` it is text for people, also in pipes and
 * notebooks, or JSON lines for scripts, which use `--json` or `--quiet` without a terminal. Comes before parsing, so
 * that errors of the command line are logged the same way.
 */
export function withEventLog(argv: readonly string[], command: Command | null, terminal: Terminal): Terminal {
  const [name = ''] = argv
  if (command?.options?.['log'] === undefined) return terminal
  const format = findFormat(argv) ?? (isForScripts(argv, terminal) ? 'json' : 'text')
  if (format === 'text') return terminal
  if (format === 'none') return { ...terminal, log: { format, write: () => undefined } }
  return { ...terminal, log: createJsonLog(terminal.stderr, { command: name, isQuiet: argv.includes('--quiet') }) }
}

function isForScripts(argv: readonly string[], { stderr }: Terminal): boolean {
  return stderr.isTTY !== true && (argv.includes('--json') || argv.includes('--quiet'))
}

function findFormat(argv: readonly string[]): LogFormat | undefined {
  const at = argv.findLastIndex((argument) => argument === '--log' || argument.startsWith('--log='))
  const value = argv[at] === '--log' ? argv[at + 1] : argv[at]?.slice('--log='.length)
  return logFormats.find((format) => format === value)
}
