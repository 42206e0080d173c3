import type { CommanderError } from 'commander'
import { CatalogueError } from '../errors.ts'
import type { Command } from './command.ts'

type Commands = Readonly<Record<string, Command>>

/** The usage error of a command line, with the command or option that was probably meant, and the help to read. */
export function toUsageError(error: CommanderError, argv: readonly string[], commands: Commands): CatalogueError {
  const [name = ''] = argv
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const isUnknown = error.code === 'commander.unknownCommand' && command === undefined
  const meant = isUnknown ? findMeant(name, commands) : null
  if (meant !== null) return new CatalogueError('USAGE', meant.message, { cause: error, fix: meant.fix })
  const said = error.message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean "$1"?')
  // The option takes all that follows.
  const isSwallowed = error.code === 'commander.missingArgument' && argv.includes('--from')
  const message = isSwallowed ? `${said}: put --from after the configs` : said
  const fix = command === undefined ? undefined : toHelpAdvice(error, argv, command.commands ?? {})
  return new CatalogueError('USAGE', message, { cause: error, fix })
}

/** The command probably meant by an unknown word, or by a file without a command. */
function findMeant(word: string, commands: Commands): { readonly message: string; readonly fix: string } | null {
  const meant = findOtherName(word.toLowerCase(), commands)
  if (meant !== null)
    return { message: `unknown command '${word}'; "${meant}" does that`, fix: `See \`catalogue-etl ${meant} --help\`.` }
  if (!/\.(?:ya?ml|json|ndjson|jsonl|gz)$/i.test(word)) return null
  return { message: `expected a command, got the file '${word}'`, fix: `\`catalogue-etl run ${word}\`` }
}

function findOtherName(word: string, commands: Commands): string | null {
  for (const [name, command] of Object.entries(commands)) {
    if (command.otherNames?.includes(word)) return name
    const second = findOtherName(word, command.commands ?? {})
    if (second !== null) return `${name} ${second}`
  }
  return null
}

function toHelpAdvice({ code }: CommanderError, [name, second = '']: readonly string[], commands: Commands): string {
  const isSubcommand = Object.hasOwn(commands, second) && code !== 'commander.unknownCommand'
  return `See \`catalogue-etl ${isSubcommand ? `${name} ${second}` : name} --help\`.`
}
