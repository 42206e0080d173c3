import type { Command } from 'commander'

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

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}
