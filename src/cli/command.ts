import type { Parameter } from './parameter.ts'
import type { Terminal } from './terminal.ts'

/** A command: help, parsing, documentation and tests follow from it. Its name is its key in the table of commands. */
export interface Command extends CommandText {
  /** In their order. */
  readonly arguments?: Parameters
  /** By their name in camel case: `fullRefresh` is `--full-refresh`. */
  readonly options?: Parameters
  /** Resolves with the exit code of the process; 0 if with nothing. */
  run(input: InputOf<Parameters>, terminal: Terminal): Promise<number | void> | void
}

/** A command that only has commands, such as `state` with `state show` and `state reset`. */
export interface CommandGroup extends CommandText {
  readonly commands: Readonly<Record<string, Command>>
}

interface CommandText {
  readonly description: string
  /** Words that people type for it. */
  readonly otherNames?: readonly string[]
  /** What the help says before the examples. */
  readonly before?: string
  readonly examples: readonly [string, ...string[]]
  /** What the help says after the examples. */
  readonly after?: string
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** The values of arguments or options. */
export type InputOf<Defined> = {
  readonly [Name in keyof Defined]: Defined[Name] extends Parameter<infer Value> ? Value : never
}

/** A command whose `run` gets the values of its arguments and options in one object. */
export function defineCommand<Arguments extends Parameters, Options extends Parameters>(
  command: Omit<Command, 'run'> & {
    readonly arguments?: Arguments
    readonly options?: Options
    run(input: InputOf<Arguments> & InputOf<Options>, terminal: Terminal): ReturnType<Command['run']>
  },
): Command {
  return command
}
