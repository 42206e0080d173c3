import { InvalidArgumentError } from 'commander'
import { byteSize, millisecondsIn } from '../config/schemas/number-shapes.ts'
import { type ContractName, contractNames, isContractName } from '../contracts/contracts.ts'
import { mostWorkers } from '../kernel/encode/choose-workers.ts'
import { closest, formatSuggestion, listChoices } from '../text/choices.ts'
import { choice, flag, option, type Parameter, repeated } from './parameter.ts'
import { logFormats } from './terminal.ts'

/** For commands that read the service's address and credentials from the environment. */
export const envOption = {
  env: repeated('<file>', 'a file of NAME=value lines, which come before the environment (repeatable)'),
}

/** For commands that read configs and write no outputs. */
export const settingOptions = {
  ...envOption,
  set: repeated('<key=value>', 'replaces a value of the config (repeatable)'),
}

/** For commands that read configs and write outputs. */
export const configOptions = {
  ...settingOptions,
  out: option('<dir>', 'replaces the leading out/ of all paths'),
}

/** For commands that can read files instead of the config's source. */
export const fromOption = {
  from: option('<file...>', "files to read in place of the config's source, landed by fetch for instance"),
}

/** For commands that look at what a history held. */
export const asOfOption = {
  asOf: option('<date>', 'the tables as they were, from a history: the end of a day (2026-10-01), or a moment'),
}

/** For commands that take bare exports instead of configs. */
export const contractOption = {
  contract: contractChoice('for an export: what its records are; by default they are recognized'),
}

/** For commands that a scheduler starts. */
export const logOption = {
  log: choice(
    '<format>',
    'form of the log on standard error; default text; without a terminal, and with --json or --quiet, json (lines)',
    logFormats,
  ),
}

export const workersOption = (help: string) => ({ workers: option('<n>', help, toWorkers) })

export const quietOption = { quiet: flag('print nothing but errors') }

/** An option for a contract; an unknown name is answered with the nearest one. */
export function contractChoice(
  help: string,
  names: readonly ContractName[] = contractNames,
): Parameter<ContractName | undefined> {
  const parse = (name: string): ContractName => {
    if (isContractName(name) && names.includes(name)) return name
    const suggestion = formatSuggestion(closest(name, names))
    throw new InvalidArgumentError(`Expected one of ${listChoices(names)}${suggestion}`)
  }
  return { takes: '<name>', help, choices: names, parse }
}

/** An option to wait for another run to end: without limit, or for at most the given milliseconds. */
export function wait(help: string): Parameter<true | number | undefined> {
  return option('[duration]', help, toWaitMs)
}

export function toCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < 1)
    throw new InvalidArgumentError('Expected a whole number, 1 or more.')
  return count
}

export function toDurationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const ms = Number(number) * (unit in millisecondsIn ? millisecondsIn[unit as keyof typeof millisecondsIn] : 0)
  if (ms > 0 && Number.isSafeInteger(Math.round(ms))) return Math.round(ms)
  throw new InvalidArgumentError('Expected a duration such as 90s, 10m, 1h or 7d.')
}

export function toBytes(text: string): number {
  const { data } = byteSize.safeParse(text)
  if (data === undefined) throw new InvalidArgumentError('Expected a size such as 512MB or 2GB.')
  return data
}

/** Parses a whole number from 0; 0 means no worker threads. */
function toWorkers(text: string): number {
  const workers = Number(text)
  if (!/^\d+$/.test(text) || workers > mostWorkers)
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${mostWorkers}.`)
  return workers
}

/** Its error adds a hint, as the option takes the next word as its value, even a config. */
function toWaitMs(text: string): number {
  try {
    return toDurationMs(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw new InvalidArgumentError(`${error.message} To wait as long as it takes, put --wait after the configs.`)
  }
}
