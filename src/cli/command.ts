import type { Parameter } from './parameter.ts'
import type { Terminal } from './terminal.ts'

/**
 * A command, from which help, parsing, documentation and tests follow. Its name is its key in the table of commands.
 */
export interface Command extends CommandText {
  readonly arguments?: Parameters
  /** By name in camel case: `fullRefresh` is `--full-refresh`. */
  readonly options?: Parameters
  /** Resolves with the exit code of the process; nothing means 0. */
  run(input: InputOf<Parameters>, terminal: Terminal): Promise<number | void> | void
}

/** A command that only has subcommands: `state` has `state show` and `state reset`. */
export interface CommandGroup extends CommandText {
  readonly commands: Readonly<Record<string, Command>>
}

interface CommandText {
  readonly description: string
  /** Words that people type instead of the name. */
  readonly otherNames?: readonly string[]
  readonly before?: string
  readonly examples: readonly [string, ...string[]]
  readonly after?: string
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type InputOf<Defined> = {
  readonly [Name in keyof Defined]: Defined[Name] extends Parameter<infer Value> ? Value : never
}

/** Defines a command whose `run` gets the values of its arguments and options in one object. */
export function defineCommand<Arguments extends Parameters, Options extends Parameters>(
  command: Omit<Command, 'run'> & {
    readonly arguments?: Arguments
    readonly options?: Options
    run(input: InputOf<Arguments> & InputOf<Options>, terminal: Terminal): ReturnType<Command['run']>
  },
): Command {
  return command
}
