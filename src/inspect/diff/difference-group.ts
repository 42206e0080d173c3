import type { Field } from '../../contracts/fields.ts'

/** What people call a difference: the sheets of a workbook. `new` and `gone` are whole records. */
export const differenceGroups = ['new', 'gone', 'prices', 'texts', 'images', 'others'] as const

export type DifferenceGroup = (typeof differenceGroups)[number]

export type ValueGroup = Exclude<DifferenceGroup, 'new' | 'gone'>

/** Groups the paths of a contract, with or without `[]`: amounts of money, localized fields and descriptions, photos. */
export function compileGroups(fields: ReadonlyMap<string, Field>): (path: string) => ValueGroup {
  const known = new Map<string, ValueGroup>()
  return (path) => {
    const group = known.get(path) ?? groupOf(fields, path)
    known.set(path, group)
    return group
  }
}

function groupOf(fields: ReadonlyMap<string, Field>, path: string): ValueGroup {
  const names = path.replaceAll(/\[\d*\]/g, '').split('.')
  const [first = ''] = names
  if (images.has(first)) return 'images'
  if (texts.has(first)) return 'texts'
  let field = fields.get(first)
  for (const name of names.slice(1)) {
    if (field === undefined || field.kind === 'localized') break
    const inner: Field = field.kind === 'list' ? field.element : field
    field = inner.kind === 'object' ? inner.fields.get(name) : inner
  }
  if (field?.kind === 'localized') return 'texts'
  return field?.kind === 'scalar' && field.money === true ? 'prices' : 'others'
}

/** Lists whose elements are images or texts, whatever differs in them. */
const images = new Set(['photos', 'frontals'])
const texts = new Set(['descriptions', 'leaflets'])
