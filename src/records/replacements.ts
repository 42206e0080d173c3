/** What a record says of its replacement: the fields `status` and `replacement` of products. */
export interface Replaceable {
  readonly status: string | null
  readonly replacement: string | null
}

export type Succession =
  | { readonly kind: 'none' }
  /** The last successor, which is not replaced itself; it may be inactive. */
  | { readonly kind: 'successor'; readonly id: string }
  /** Each of these is replaced by the next, and the last by the first. The record itself may only lead there. */
  | { readonly kind: 'cycle'; readonly ids: readonly string[] }
  /** The last record there is, and the one that it says replaces it, which is not there; null if it says none. */
  | { readonly kind: 'deadEnd'; readonly id: string; readonly missing: string | null }

/** A record that names a replacement counts as replaced if its status is not known, as in a table without that column. */
export function isReplaced({ status, replacement }: Replaceable): boolean {
  return status === null ? isNamed(replacement) : status === 'replaced'
}

/**
 * Follows replacements to the last successor. `find` looks a record up; each that is there is asked for once, however many
 * lead to it. A record that is not there, or not replaced, has no successor.
 */
export function compileSuccessions(find: (id: string) => Replaceable | undefined): (id: string) => Succession {
  const ends = new Map<string, Succession>()

  function followFrom(id: string): Succession {
    const passed = new Set<string>()
    let [at, end] = [id, ends.get(id)]
    while (end === undefined) {
      const next = stepFrom(at, passed)
      if (typeof next !== 'string') end = next
      else [at, end] = [next, ends.get(next)]
    }
    for (const each of passed) ends.set(each, end)
    return end
  }

  function stepFrom(id: string, passed: Set<string>): Succession | string {
    if (passed.has(id)) return { kind: 'cycle', ids: toCycle([...passed], id) }
    const record = find(id)
    if (record === undefined) return { kind: 'deadEnd', id: [...passed].at(-1) ?? id, missing: id }
    passed.add(id)
    if (!isReplaced(record)) return { kind: 'successor', id }
    const { replacement } = record
    return isNamed(replacement) ? replacement : { kind: 'deadEnd', id, missing: null }
  }

  return (id) => {
    const end = followFrom(id)
    const isOwn = (end.kind === 'successor' && end.id === id) || (end.kind === 'deadEnd' && end.missing === id)
    return isOwn ? { kind: 'none' } : end
  }
}

/** In words that go on from the name of the record. */
export function describeSuccession(succession: Succession): string {
  switch (succession.kind) {
    case 'none':
      return 'not replaced'
    case 'successor':
      return `replaced by ${succession.id}`
    case 'cycle':
      return `replaced in a circle: ${[...succession.ids, succession.ids[0]].join(' → ')}`
    case 'deadEnd':
      return succession.missing === null
        ? 'replaced, but no product is named'
        : `replaced by ${succession.missing}, which is not there`
  }
}

function isNamed(replacement: string | null): replacement is string {
  return replacement !== null && replacement !== ''
}

/** The records from `id` on, begun with the smallest, so that it is the same wherever one came from. */
function toCycle(passed: readonly string[], id: string): string[] {
  const ids = passed.slice(passed.indexOf(id))
  const first = ids.indexOf(ids.reduce((least, each) => (each < least ? each : least)))
  return [...ids.slice(first), ...ids.slice(0, first)]
}
