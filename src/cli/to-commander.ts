import { Argument, Command as Commander, Option } from 'commander'
import { type Command, summarize } from './command.ts'
import type { Parameter } from './parameter.ts'
import type { Terminal } from './terminal.ts'

/** Converts a command for commander. `finish` gets the exit code. */
export function toCommander(
  name: string,
  command: Command,
  terminal: Terminal,
  finish: (exitCode: number) => void,
): Commander {
  const made = new Commander(name).description(command.description).summary(summarize(command.description))
  made.addHelpText('after', formatHelp(command))
  for (const [own, each] of Object.entries(command.commands ?? {}))
    made.addCommand(toCommander(own, each, terminal, finish))
  const { run } = command
  if (run === undefined) return made
  // What follows a subcommand is its own, also `--seed`, which both have.
  made.enablePositionalOptions()
  const args = Object.entries(command.arguments ?? {})
  for (const [, { takes = '', help }] of args) made.addArgument(new Argument(takes, help))
  for (const [key, parameter] of Object.entries(command.options ?? {})) made.addOption(toOption(key, parameter))
  return made.action(async (...given: unknown[]) => {
    const named = Object.fromEntries(args.map(([key], at) => [key, given[at]]))
    const exitCode = await run({ ...made.opts(), ...named }, terminal)
    if (exitCode !== undefined) finish(exitCode)
  })
}

function formatHelp({ before, examples, after }: Command): string {
  const example = ['Example:', ...examples.map((line) => `  $ ${line}`)].join('\n')
  return [before, example, after].flatMap((part) => (part === undefined ? [] : `\n${part}`)).join('\n')
}

function toOption(key: string, parameter: Parameter<unknown>): Option {
  const { takes, help, choices, default: value, isRequired, isHidden, parse } = parameter
  const option = new Option(takes === undefined ? toFlag(key) : `${toFlag(key)} ${takes}`, help)
  if (choices !== undefined) option.choices(choices)
  if (parse !== undefined) option.argParser(parse)
  if (value !== undefined) option.default(value)
  return option.makeOptionMandatory(isRequired === true).hideHelp(isHidden === true)
}

/** `--full-refresh` for `fullRefresh`. */
export function toFlag(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
