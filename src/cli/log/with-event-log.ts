import { logFormats, type LogFormat } from './event-log.ts'
import { createJsonLog } from './json-log.ts'
import type { Terminal } from '../terminal.ts'

/** The commands that a scheduler calls, which take `--log`. All others talk to people. */
const loggedCommands = new Set(['run', 'fetch', 'backfill'])

/**
 * The terminal with the log that a command line asks for with `--log`: text on a terminal and JSON lines elsewhere, where
 * it does not say. What the command line is wrong about is told in the same way, so this comes before it is understood.
 */
export function withEventLog(argv: readonly string[], terminal: Terminal): Terminal {
  const [command = ''] = argv
  if (!loggedCommands.has(command)) return terminal
  const format = findFormat(argv) ?? (terminal.stderr.isTTY === true ? 'text' : 'json')
  if (format === 'text') return terminal
  if (format === 'none') return { ...terminal, log: { format, tell: () => undefined } }
  return { ...terminal, log: createJsonLog(terminal.stderr, { command, isQuiet: argv.includes('--quiet') }) }
}

function findFormat(argv: readonly string[]): LogFormat | undefined {
  const at = argv.findLastIndex((argument) => argument === '--log' || argument.startsWith('--log='))
  const value = argv[at] === '--log' ? argv[at + 1] : argv[at]?.slice('--log='.length)
  return logFormats.find((format) => format === value)
}
