import type { CommanderError } from 'commander'
import { CatalogueError } from '../errors.ts'
import { findMeant } from './other-names.ts'

/** The mistake in a command line, with the command or option that was meant, and the help to read. */
export function toUsageError(
  error: CommanderError,
  argv: readonly string[],
  commands: { has(name: string): boolean },
): CatalogueError {
  const isUnknown = error.code === 'commander.unknownCommand' && !commands.has(argv[0] ?? '')
  const meant = isUnknown ? findMeant(argv) : null
  if (meant !== null) return new CatalogueError('USAGE', meant.message, { cause: error, fix: meant.fix })
  const said = error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean "$1"?')
  // The option takes all that follows.
  const isSwallowed = error.code === 'commander.missingArgument' && argv.includes('--from')
  const message = isSwallowed ? `${said}: put --from after the configs` : said
  return new CatalogueError('USAGE', message, {
    cause: error,
    fix: commands.has(argv[0] ?? '') ? toHelpAdvice(error, argv) : undefined,
  })
}

/** The help of the command that was typed. */
function toHelpAdvice({ code }: CommanderError, [name = '', second = '']: readonly string[]): string {
  const isSubcommand = groups.has(name) && /^[a-z]+$/.test(second) && code !== 'commander.unknownCommand'
  return `See \`catalogue-etl ${isSubcommand ? `${name} ${second}` : name} --help\`.`
}

/** Commands that have commands. */
const groups: ReadonlySet<string> = new Set(['users', 'state', 'rejects', 'shards'])
