import type { Parameter } from './parameter.ts'
import type { Terminal } from './terminal.ts'

/**
 * A command, from which help, parsing, documentation and tests follow. Its name is its key in the table of commands. It has a
 * `run` or subcommands, such as `state show` and `state reset`, or both.
 */
export interface Command {
  readonly description: string
  /** Words that people type instead of the name. */
  readonly otherNames?: readonly string[]
  readonly before?: string
  readonly examples: readonly [string, ...string[]]
  readonly after?: string
  readonly arguments?: Parameters
  /** By name in camel case: `fullRefresh` is `--full-refresh`. */
  readonly options?: Parameters
  readonly commands?: Readonly<Record<string, Command>>
  /** Resolves with the exit code of the process; nothing means 0. */
  readonly run?: (input: InputOf<Parameters>, terminal: Terminal) => Promise<number | void> | void
}

/** A command that only has subcommands. */
export type CommandGroup = Command & Required<Pick<Command, 'commands'>>

type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type InputOf<Defined> = {
  readonly [Name in keyof Defined]: Defined[Name] extends Parameter<infer Value> ? Value : never
}

/** A command whose `run` gets the values of its arguments and options in one object. */
export function defineCommand<Arguments extends Parameters, Options extends Parameters>(
  command: Omit<Command, 'run'> & {
    readonly arguments?: Arguments
    readonly options?: Options
    run(input: InputOf<Arguments> & InputOf<Options>, terminal: Terminal): Promise<number | void> | void
  },
): Command & Required<Pick<Command, 'run'>> {
  return command as Command & Required<Pick<Command, 'run'>>
}

/** The description up to its first colon or full stop. */
export function summarize(description: string): string {
  return /^[^:.]+/.exec(description)?.[0] ?? description
}
