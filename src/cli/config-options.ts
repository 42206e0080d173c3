import type { Command } from 'commander'

/** The options of every command that reads configs. */
export function withConfigOptions(command: Command): Command {
  return command
    .option('--set <key=value>', 'take this instead of what the config says (repeatable)', collect)
    .option('--out <dir>', 'put what would go under out/ here')
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}
