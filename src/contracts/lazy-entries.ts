export type BuiltMembers<Builders extends Readonly<Record<string, () => unknown>>> = {
  readonly [Name in keyof Builders]: ReturnType<Builders[Name]>
}

/**
 * An object whose members are built when they are first read. For tables of zod schemas: a run needs few of them, and
 * building all shows in the time of a small run.
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
