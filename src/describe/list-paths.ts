import type { Field, ObjectField } from '../contracts/fields.ts'

export interface FieldPaths {
  readonly names: readonly string[]
  /** Paths of columns: `name`, `name.nl`, `brands[].id`, `brands[0].id`. */
  readonly columns: readonly string[]
  /** Paths of conditions, which have single values, with the values that the contract lists. */
  readonly conditions: ReadonlyMap<string, readonly string[]>
  /** Lists whose elements may be the rows of a table, such as `photos[]`, with the elements' fields. */
  readonly lists: ReadonlyMap<string, ObjectField>
}

/** Lists paths in the order of the contract. Indexes such as `[0]` are listed for outer lists only. */
export function listPaths(root: ObjectField, locales: readonly string[]): FieldPaths {
  const columns: string[] = []
  const conditions = new Map<string, readonly string[]>()
  const lists = new Map<string, ObjectField>()

  function addValue(from: string, values: readonly string[]): void {
    columns.push(from)
    conditions.set(from, values)
  }

  function addMembers({ fields }: ObjectField, from: string): void {
    for (const [name, member] of fields) add(member, from === '' ? name : `${from}.${name}`)
  }

  function add(field: Field, from: string): void {
    switch (field.kind) {
      case 'scalar':
        return addValue(from, field.values ?? [])
      case 'object':
        columns.push(from)
        return addMembers(field, from)
      case 'localized':
        columns.push(from)
        if (field.element.kind === 'object') addMembers(field.element, from)
        for (const locale of locales) add(field.element, `${from}.${locale}`)
        return
      case 'list':
        return addList(field.element, from)
    }
  }

  function addList(element: Field, from: string): void {
    if (element.kind !== 'object') {
      addValue(from, element.kind === 'scalar' ? (element.values ?? []) : [])
      columns.push(`${from}[0]`)
      return
    }
    lists.set(`${from}[]`, element)
    addMembers(element, `${from}[]`)
    if (!from.includes('[')) addMembers(element, `${from}[0]`)
  }

  addMembers(root, '')
  const known = [...lists].filter(([path]) => !path.includes('[0]'))
  return { names: [...root.fields.keys()], columns: [...new Set(columns)], conditions, lists: new Map(known) }
}
