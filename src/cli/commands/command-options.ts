import { type Command, InvalidArgumentError, Option } from 'commander'
import { byteSize, millisecondsIn } from '../../config/number-shapes.ts'
import { mostWorkers } from '../../encode/choose-workers.ts'
import { type ContractName, contractNames, isContractName } from '../../contracts/contracts.ts'
import { closest, formatSuggestion, listChoices } from '../../text/choices.ts'
import { logFormats } from '../terminal.ts'

/** The options of every command that reads configs. */
export function withConfigOptions(command: Command): Command {
  return withSettings(command).option('--out <dir>', 'replaces the leading out/ of all paths')
}

/** The same for those that write no outputs. */
export function withSettings(command: Command): Command {
  return withEnvFile(command).option('--set <key=value>', 'replaces a value of the config (repeatable)', collect)
}

/** The option of every command that takes addresses and credentials from the environment. */
export function withEnvFile(command: Command): Command {
  return command.option(
    '--env <file>',
    'a file of NAME=value lines, which come before the environment (repeatable)',
    collect,
  )
}

/** The option of commands that read data: files to take it from. */
export function withFromOption(command: Command): Command {
  return command.option(
    '--from <file...>',
    "files to read in place of the config's source, landed by fetch for instance",
  )
}

/** The option of commands that take bare exports in the place of configs. */
export function withContractOption(command: Command): Command {
  return command.addOption(contractOption('for an export: what its records are; by default they are recognized'))
}

/** The option of commands that a scheduler calls. `withEventLog` finds it. */
export function withLogOption(command: Command): Command {
  const help =
    'form of the log on standard error; default text; without a terminal, and with --json or --quiet, json (lines)'
  return command.addOption(new Option('--log <format>', help).choices(logFormats))
}

/** One of the contracts; a name that is none gets the nearest one as a hint. */
export function contractOption(help: string, names: readonly ContractName[] = contractNames): Option {
  return new Option('--contract <name>', help).choices(names).argParser((name) => {
    if (isContractName(name) && names.includes(name)) return name
    const suggestion = formatSuggestion(closest(name, names))
    throw new InvalidArgumentError(`Expected one of ${listChoices(names)}${suggestion}`)
  })
}

/** Takes the values of an option that may come several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}

/** The number of an option that counts something: whole, 1 or more. */
export function toCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('Expected a whole number, 1 or more.')
  return count
}

/** The milliseconds of an option such as `90s`, `10m` or `1.5h`. */
export function toDurationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Number(number) * (unit in millisecondsIn ? millisecondsIn[unit as keyof typeof millisecondsIn] : 0)
  if (ms > 0 && Number.isSafeInteger(Math.round(ms))) return Math.round(ms)
  throw new InvalidArgumentError('Expected a duration such as 90s, 10m or 1h.')
}

/** From 0: no thread but the one that reads and writes. */
export function toWorkers(text: string): number {
  const workers = Number(text)
  if (!/^\d+$/.test(text) || workers > mostWorkers)
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${mostWorkers}.`)
  return workers
}

/** The option takes what follows, be it a config. */
export function toWaitMs(text: string): number {
  try {
    return toDurationMs(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new InvalidArgumentError(`${error.message} To wait as long as it takes, put --wait after the configs.`)
  }
}

/** The bytes of an option such as `512MB`. */
export function toBytes(text: string): number {
  const { data } = byteSize.safeParse(text)
  if (data === undefined) throw new InvalidArgumentError('Expected a size such as 512MB or 2GB.')
  return data
}
