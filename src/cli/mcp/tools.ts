import { CatalogueError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { toFlag } from '../to-commander.ts'
import type { Parameter } from '../parameter.ts'

/** A command that an assistant may call, as a tool of the Model Context Protocol. */
export interface Tool {
  readonly name: string
  readonly command: Command & Required<Pick<Command, 'run'>>
  readonly options: readonly string[]
  /** True if it writes outputs. */
  readonly writes: boolean
}

interface ToolEntry {
  readonly load: () => Promise<Tool['command']>
  /**
   * Options that the tool takes. Not those that name files to write or to read variables from, replace values of a config or
   * start other programs: what a call may do follows from the configs alone.
   */
  readonly options: readonly string[]
  readonly writes?: true
}

const entries: Readonly<Record<string, ToolEntry>> = {
  describe: {
    load: async () => (await import('../commands/config/describe-command.ts')).describeCommand,
    options: ['as', 'dialect', 'changes', 'since', 'views'],
  },
  check: {
    load: async () => (await import('../commands/config/check-command.ts')).checkCommand,
    options: ['shards', 'json'],
  },
  plan: {
    load: async () => (await import('../commands/config/plan-command.ts')).planCommand,
    options: ['json'],
  },
  preview: {
    load: async () => (await import('../commands/look/preview-command.ts')).previewCommand,
    options: ['from', 'contract', 'asOf', 'rows', 'table', 'json'],
  },
  profile: {
    load: async () => (await import('../commands/look/profile-command.ts')).profileCommand,
    options: ['contract', 'table', 'column', 'json'],
  },
  rejects: {
    load: async () => (await import('../commands/run/rejects-command.ts')).showRejectsCommand,
    options: ['code', 'path', 'json'],
  },
  trace: {
    load: async () => (await import('../commands/look/trace-command.ts')).traceCommand,
    options: ['from', 'contract', 'rows', 'raw', 'json'],
  },
  diff: {
    load: async () => (await import('../commands/look/diff-command.ts')).diffCommand,
    options: ['asOf', 'and', 'contract', 'only', 'ignore', 'include', 'json'],
  },
  sql: {
    load: async () => (await import('../commands/look/sql-command.ts')).sqlCommand,
    options: ['question', 'show', 'as', 'limit'],
  },
  verify: {
    load: async () => (await import('../commands/look/verify-command.ts')).verifyCommand,
    options: ['json'],
  },
  run: {
    load: async () => (await import('../commands/run/run-command.ts')).runCommand,
    options: ['limit', 'fullRefresh', 'plan', 'from', 'json'],
    writes: true,
  },
}

/** The tools that only read or, if it is allowed to write, all of them. */
export async function loadTools(mayWrite: boolean): Promise<Tool[]> {
  const chosen = Object.entries(entries).filter(([, { writes }]) => mayWrite || writes !== true)
  return Promise.all(
    chosen.map(async ([name, { load, options, writes = false }]) => ({ name, command: await load(), options, writes })),
  )
}

export interface ToolParameter extends Parameter<unknown> {
  readonly key: string
  readonly isArgument: boolean
  readonly isMany: boolean
  readonly isNeeded: boolean
}

/** The parameters of a tool: the arguments of its command, then its options. */
export function listParameters({ command, options }: Tool): ToolParameter[] {
  const args = Object.entries(command.arguments ?? {}).map(([key, parameter]) => ({
    ...parameter,
    key,
    isArgument: true,
    isMany: isVariadic(parameter),
    isNeeded: parameter.takes?.startsWith('<') === true,
  }))
  const taken = Object.entries(command.options ?? {}).filter(([key]) => options.includes(key))
  const more = taken.map(([key, parameter]) => ({
    ...parameter,
    key,
    isArgument: false,
    isMany: isVariadic(parameter) || parameter.isRepeatable === true,
    isNeeded: parameter.isRequired === true,
  }))
  return [...args, ...more]
}

function isVariadic({ takes }: Parameter<unknown>): boolean {
  return takes?.includes('...') === true
}

/** The JSON Schema of a tool's input. */
export function toInputSchema(tool: Tool) {
  const parameters = listParameters(tool)
  return {
    type: 'object' as const,
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.key, toSchema(parameter)])),
    required: parameters.filter(({ isNeeded }) => isNeeded).map(({ key }) => key),
    additionalProperties: false,
  }
}

function toSchema({ takes, help, choices, isMany, default: value }: ToolParameter) {
  const more = { description: help, ...(value !== undefined && { default: value }) }
  if (takes === undefined) return { type: 'boolean', ...more }
  const one = { type: takes === '<n>' ? 'integer' : 'string', ...(choices !== undefined && { enum: choices }) }
  return isMany ? { type: 'array', items: one, minItems: 1, ...more } : { ...one, ...more }
}

/** The command line of a tool's input, without the name of the command. Throws USAGE, which names what is wrong. */
export function toArgv(tool: Tool, input: Readonly<Record<string, unknown>>): string[] {
  const parameters = listParameters(tool)
  const known = parameters.map(({ key }) => key)
  const unknown = Object.keys(input).find((key) => !known.includes(key))
  if (unknown !== undefined) throw wrongInput(`${unknown}: expected one of ${known.join(', ')}`)
  const missing = parameters.find(({ key, isNeeded }) => isNeeded && input[key] === undefined)
  if (missing !== undefined) throw wrongInput(`${missing.key}: expected ${missing.help}, got nothing`)
  const given = parameters.filter(({ key }) => input[key] !== undefined && input[key] !== null)
  const [args, options] = [given.filter(({ isArgument }) => isArgument), given.filter(({ isArgument }) => !isArgument)]
  return [
    ...options.flatMap((option) => toOptions(option, input[option.key])),
    '--',
    ...args.flatMap((each) => toTexts(each, input[each.key])),
  ]
}

function toOptions(option: ToolParameter, value: unknown): string[] {
  const name = toFlag(option.key)
  if (option.takes !== undefined) return toTexts(option, value).map((text) => `${name}=${text}`)
  if (typeof value !== 'boolean') throw wrongInput(`${option.key}: expected true or false`)
  return value ? [name] : []
}

/** Texts of a value or, if the parameter takes many, of a list. */
function toTexts({ key, isMany }: ToolParameter, value: unknown): string[] {
  const values: readonly unknown[] = isMany && Array.isArray(value) ? value : [value]
  return values.map((each) => {
    if (typeof each === 'string' || typeof each === 'number') return String(each)
    throw wrongInput(`${key}: expected ${isMany ? 'a list of texts' : 'a text or a number'}`)
  })
}

function wrongInput(message: string): CatalogueError {
  return new CatalogueError('USAGE', message, { fix: 'See the input schema of the tool.' })
}
