/**
 * Names of sheets by table, `sheets` of them each: `products`, `products (2)`. At most 31 characters, none of
 * `[]:*?/\`, no apostrophe at an end, and unique without regard to case.
 */
export function nameSheets(tables: readonly { readonly name: string; readonly sheets: number }[]): string[][] {
  const taken = new Set<string>(['history'])
  const take = (name: string) => {
    taken.add(name.toLowerCase())
    return name
  }
  const isFree = (name: string) => !taken.has(name.toLowerCase())
  const firsts = tables.map(({ name }) => take(findFree(name, '~', isFree)))
  return tables.map(({ sheets }, table) => {
    const first = firsts[table] ?? ''
    const others = Array.from({ length: sheets - 1 }, (_, index) => {
      const numbered = endWith(first, ` (${index + 2})`)
      return take(findFree(numbered, '~', isFree))
    })
    return [first, ...others]
  })
}

function findFree(name: string, sign: string, isFree: (name: string) => boolean): string {
  const allowed = endWith(toAllowed(name), '')
  if (isFree(allowed)) return allowed
  for (let number = 2; ; number++) {
    const other = endWith(allowed, `${sign}${number}`)
    if (isFree(other)) return other
  }
}

function toAllowed(name: string): string {
  // oxlint-disable-next-line no-control-regex -- forbidden as well
  const allowed = name.replaceAll(/[[\]:*?/\\\u0000-\u001f\ufffe\uffff]/g, '_').replaceAll(/^'|'$/g, '_')
  return allowed === '' ? '_' : allowed
}

function endWith(name: string, end: string): string {
  return name.slice(0, mostCharacters - end.length).toWellFormed() + end
}

const mostCharacters = 31
