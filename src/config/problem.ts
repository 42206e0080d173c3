export interface Problem {
  /** The place in the config: `['tables', 'products', 'columns', 2, 'from']`. */
  readonly path: readonly (string | number)[]
  /** The key itself is at fault, not its value. */
  readonly atKey?: true
  /** What is wrong: expected …, got …. */
  readonly message: string
  /** The word that was probably meant. */
  readonly suggestion?: string
  /** A note on a name that is sent to the service as it is: a run repeats it. */
  readonly isUnchecked?: true
}

export function problemAt(path: Problem['path'], message: string, suggestion?: string): Problem {
  return suggestion === undefined ? { path, message } : { path, message, suggestion }
}
