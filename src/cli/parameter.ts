/** An argument or option of a command. `Value` is the type that the command gets. */
export interface Parameter<Value> {
  readonly help: string
  /** The value in the help, such as `<n>`; absent for a flag. */
  readonly takes?: string
  readonly choices?: readonly string[]
  readonly default?: Value
  readonly isRequired?: true
  readonly isHidden?: true
  /** True for an option whose occurrences add up. */
  readonly isRepeatable?: true
  /** Called for each occurrence of the option. Throws InvalidArgumentError. */
  parse?(this: void, text: string, earlier: Value | undefined): Value
}

export function argument(takes: `<${string}...>` | `[${string}...]`, help: string): Parameter<readonly string[]>
export function argument(takes: `<${string}>`, help: string): Parameter<string>
export function argument(takes: `[${string}]`, help: string): Parameter<string | undefined>
export function argument(takes: string, help: string): Parameter<never> {
  return { takes, help }
}

export function flag(help: string): Parameter<true | undefined> {
  return { help }
}

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

export function repeated(takes: string, help: string): Parameter<readonly string[] | undefined> {
  return { takes, help, isRepeatable: true, parse: (text, earlier = []) => [...earlier, text] }
}

/** Values between commas, which may also be repeated. */
export function list(takes: string, help: string): Parameter<readonly string[] | undefined> {
  return { takes, help, isRepeatable: true, parse: (text, earlier = []) => [...earlier, ...splitList(text)] }
}

function splitList(text: string): string[] {
  return text.split(',').flatMap((each) => each.trim() || [])
}

export function choice<const Name extends string>(
  takes: string,
  help: string,
  choices: readonly Name[],
): Parameter<Name | undefined> {
  return { takes, help, choices }
}

export function required<Value>(parameter: Parameter<Value | undefined>): Parameter<Value> {
  return { ...parameter, isRequired: true } as Parameter<Value>
}

export function withDefault<Value>(parameter: Parameter<Value | undefined>, value: Value): Parameter<Value> {
  return { ...parameter, default: value } as Parameter<Value>
}
