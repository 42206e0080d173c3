import type { Contract } from '../../src/contracts/contracts.ts'
import type { Field } from '../../src/contracts/fields.ts'

/** JSON with every member of an object, also where a key comes again. */
type Tree = { readonly members: readonly (readonly [string, Tree])[] } | { readonly elements: readonly Tree[] } | string

/** The keys that objects of the record on a line have had before, by path, where an object of the contract holds them. */
export function toExpectedRepeats(contract: Contract, line: string, countsUnknown = true): Record<string, number> {
  const counts: Record<string, number> = {}
  const root: Field = { kind: 'object', record: contract.record, fields: contract.fields, description: '', notes: {} }
  const tree = parseTree(line)
  const result = membersOf(tree).find(([key]) => key === 'result')
  countRepeats(root, result?.[1] ?? tree, '', countsUnknown, counts)
  return counts
}

function countRepeats(
  field: Field,
  tree: Tree,
  path: string,
  countsUnknown: boolean,
  counts: Record<string, number>,
): void {
  if (field.kind === 'list') {
    const elements = typeof tree !== 'string' && 'elements' in tree ? tree.elements : field.orOne ? [tree] : []
    for (const element of elements) countRepeats(field.element, element, `${path}[]`, countsUnknown, counts)
  }
  if (field.kind !== 'object' && field.kind !== 'localized') return
  const members = membersOf(tree)
  for (const [at, [key, member]] of members.entries()) {
    const inside = field.kind === 'localized' ? field.element : field.fields.get(key)
    const prefix = path === '' ? '' : `${path}.`
    const isRepeated = members.slice(0, at).some(([before]) => before === key)
    if (isRepeated && (inside !== undefined || countsUnknown)) counts[prefix + key] = (counts[prefix + key] ?? 0) + 1
    const step = field.kind === 'localized' ? '*' : key
    if (inside !== undefined) countRepeats(inside, member, prefix + step, countsUnknown, counts)
  }
}

function membersOf(tree: Tree): readonly (readonly [string, Tree])[] {
  return typeof tree !== 'string' && 'members' in tree ? tree.members : []
}

/** The repeated keys of valid JSON. */
function parseTree(text: string): Tree {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g) ?? []
  let at = 0
  const parse = (): Tree => {
    const token = tokens[at++] ?? ''
    if (token === '{') {
      const members: [string, Tree][] = []
      for (; tokens[at] !== '}'; at += Number(tokens[at] === ',')) {
        const key = JSON.parse(tokens[at] ?? '') as string
        at += 2
        members.push([key, parse()])
      }
      at++
      return { members }
    }
    if (token !== '[') return token
    const elements: Tree[] = []
    for (; tokens[at] !== ']'; at += Number(tokens[at] === ',')) elements.push(parse())
    at++
    return { elements }
  }
  return parse()
}
