/** An argument or option of a command. `Value` is what the command gets. */
export interface Parameter<Value> {
  readonly help: string
  /** The value as the help shows it, such as `<n>`; none of a flag. */
  readonly takes?: string
  readonly choices?: readonly string[]
  readonly default?: Value
  /** True of an option that has to be given. */
  readonly isRequired?: true
  /** True of an option that the help does not show. */
  readonly isHidden?: true
  /** Called each time that the option is given. Throws InvalidArgumentError. */
  parse?(this: void, text: string, earlier: Value | undefined): Value
}

export function argument(takes: `<${string}...>` | `[${string}...]`, help: string): Parameter<readonly string[]>
export function argument(takes: `<${string}>`, help: string): Parameter<string>
export function argument(takes: `[${string}]`, help: string): Parameter<string | undefined>
export function argument(takes: string, help: string): Parameter<never> {
  return { takes, help }
}

/** An option without a value. */
export function flag(help: string): Parameter<true | undefined> {
  return { help }
}

/** An option with a value: as it was typed, or as it is parsed. */
export function option(takes: `<${string}...>`, help: string): Parameter<readonly string[] | undefined>
export function option(takes: string, help: string): Parameter<string | undefined>
export function option<Value>(
  takes: string,
  help: string,
  parse: (text: string, earlier: Value | undefined) => Value,
): Parameter<Value | undefined>
export function option(takes: string, help: string, parse?: Parameter<unknown>['parse']): Parameter<unknown> {
  return { takes, help, ...(parse && { parse }) }
}

/** An option that may be given several times. */
export function repeated(takes: string, help: string): Parameter<readonly string[] | undefined> {
  return { takes, help, parse: (text, earlier = []) => [...earlier, text] }
}

export function choice<const Name extends string>(
  takes: string,
  help: string,
  choices: readonly Name[],
): Parameter<Name | undefined> {
  return { takes, help, choices }
}

/** An option that has to be given. */
export function required<Value>(parameter: Parameter<Value | undefined>): Parameter<Value> {
  return { ...parameter, isRequired: true } as Parameter<Value>
}

export function withDefault<Value>(parameter: Parameter<Value | undefined>, value: Value): Parameter<Value> {
  return { ...parameter, default: value } as Parameter<Value>
}
