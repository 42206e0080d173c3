import { pino, stdTimeFunctions } from 'pino'
import { readToolVersion } from '../engine/run-report.ts'
import type { EventLog } from './event-log.ts'
import type { Terminal } from './terminal.ts'

export interface JsonLogOptions {
  readonly command: string
  /** Only what is wrong. */
  readonly isQuiet: boolean
}

/** One line of JSON an event: level, time, version, pid, hostname, command, event, its fields, and `msg`. */
export function createJsonLog(stream: Terminal['stderr'], { command, isQuiet }: JsonLogOptions): EventLog {
  const logger = pino(
    {
      level: isQuiet ? 'warn' : 'info',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    stream,
  ).child({ version: readToolVersion().version, command })
  return {
    format: 'json',
    tell({ level, message, ...fields }) {
      logger[level](fields, message)
    },
  }
}
