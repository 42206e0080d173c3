/** The same for the same name, made when it is first asked for. */
export function remember<Name, Value>(create: (name: Name) => Value): (name: Name) => Value {
  const known = new Map<Name, Value>()
  return (name) => {
    const value = known.get(name) ?? create(name)
    known.set(name, value)
    return value
  }
}
