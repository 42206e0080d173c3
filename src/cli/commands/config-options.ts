import { Option, type Command } from 'commander'
import { logFormats } from '../log/event-log.ts'

/** The options of every command that reads configs. */
export function withConfigOptions(command: Command): Command {
  return withSettings(command).option('--out <dir>', 'put what would go under out/ here')
}

/** The same for those that write no outputs. */
export function withSettings(command: Command): Command {
  return withEnvFile(command).option(
    '--set <key=value>',
    'take this instead of what the config says (repeatable)',
    collect,
  )
}

/** Of every command that takes addresses and credentials from the environment. */
export function withEnvFile(command: Command): Command {
  return command.option('--env <file>', 'take NAME=value lines from here, before the environment (repeatable)', collect)
}

/** Of the commands that read data: files to take it from. */
export function withFromOption(command: Command): Command {
  return command.option(
    '--from <file...>',
    "read these files, landed by fetch for instance, in place of the config's source",
  )
}

/** Of the commands that a scheduler calls. `withEventLog` finds it. */
export function withLogOption(command: Command): Command {
  const help = 'how to say what happens, on standard error; default text on a terminal, json (lines) elsewhere'
  return command.addOption(new Option('--log <format>', help).choices(logFormats))
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}
