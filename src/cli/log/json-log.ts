import { createRequire } from 'node:module'
import type { Logger } from 'pino'
import { readToolVersion } from '../../package-file.ts'
import type { EventLog } from './event-log.ts'
import type { Terminal } from '../terminal.ts'

export interface JsonLogOptions {
  readonly command: string
  /** Only what is wrong. */
  readonly isQuiet: boolean
}

/** One line of JSON an event: level, time, version, pid, hostname, command, event, its fields, and `msg`. */
export function createJsonLog(stream: Terminal['stderr'], { command, isQuiet }: JsonLogOptions): EventLog {
  let logger: Logger | undefined
  return {
    format: 'json',
    tell({ level, message, ...fields }) {
      if (isQuiet && level === 'info') return
      logger ??= createLogger(stream, command)
      logger[level](fields, message)
    },
  }
}

/** Loads the logger, which a quiet run that goes well has no need of. */
function createLogger(stream: Terminal['stderr'], command: string): Logger {
  const { pino, stdTimeFunctions } = createRequire(import.meta.url)('pino') as typeof import('pino')
  const options = { timestamp: stdTimeFunctions.isoTime, formatters: { level: (level: string) => ({ level }) } }
  return pino(options, stream).child({ version: readToolVersion().version, command })
}
