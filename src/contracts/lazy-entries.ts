/** The results of the functions, by name. */
export type BuiltMembers<Builders extends Readonly<Record<string, () => unknown>>> = {
  readonly [Name in keyof Builders]: ReturnType<Builders[Name]>
}

/**
 * An object with a member for each of these functions: what it makes, from when it is first asked for. For tables of zod
 * schemas: a run needs few of them, and to build all shows in how long a small one takes.
 */
export function lazyEntries<const Builders extends Readonly<Record<string, () => unknown>>>(
  builders: Builders,
): BuiltMembers<Builders> {
  const members = {}
  for (const [name, build] of Object.entries(builders)) {
    const get = (): unknown => {
      const value = build()
      Object.defineProperty(members, name, { value, enumerable: true })
      return value
    }
    Object.defineProperty(members, name, { get, enumerable: true, configurable: true })
  }
  return members as BuiltMembers<Builders>
}
