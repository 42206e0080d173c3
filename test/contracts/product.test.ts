import { expect, test } from 'vitest'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'
import type { Field } from '../../src/contracts/fields.ts'

/** Members of one version whose values are at another path of `product`. */
const mappedElsewhere: Readonly<Record<string, string>> = {
  'descriptions[].content.{locale} (text)': 'descriptions[].content.{locale}.html',
}

test('product has every member of the products of both versions, or lists the path of its value', () => {
  const product = listLeaves(contracts.product)
  for (const contract of [contracts['v3/product'], contracts['v4/product']]) {
    const lacking = [...listLeaves(contract)].filter((leaf) => !product.has(leaf) && !(leaf in mappedElsewhere))
    expect(lacking).toEqual([])
  }
})

test('product has no member that neither version has', () => {
  const versions = new Set([...listLeaves(contracts['v3/product']), ...listLeaves(contracts['v4/product'])])
  expect([...listLeaves(contracts.product)].filter((leaf) => !versions.has(leaf))).toEqual([])
})

test('every path to which product maps a member exists', () => {
  const leaves = [...listLeaves(contracts.product)].map((leaf) => leaf.replace(/ .*/, ''))
  expect(leaves).toEqual(expect.arrayContaining(Object.values(mappedElsewhere)))
})

test.each(['photos', 'frontals', 'links'])(
  'product has the kind of %s in one member, whichever version delivers it',
  (list) => {
    const field = contracts.product.fields.get(list)
    const element =
      field?.kind === 'list' && field.element.kind === 'object' ? field.element.fields : new Map<string, Field>()
    const kind = element.get(list === 'links' ? 'linkType' : 'photoType')
    expect(kind?.notes.orFrom).toBe('type')
    expect(element.has('type')).toBe(true)
  },
)

test('product accepts the forms of an object that only one version has', () => {
  const content = { nl: '<p>a</p>', fr: { html: '<p>b</p>', markdown: 'b' } }
  const { descriptions } = contracts.product.schema.parse({ id: 'M1', descriptions: [{ id: 1, content }] })
  expect(descriptions?.[0]?.content).toEqual({ nl: { html: '<p>a</p>' }, fr: content.fr })
})

function listLeaves({ fields }: Contract): Set<string> {
  return new Set([...fields].flatMap(([name, field]) => leavesOf(name, field)))
}

function leavesOf(path: string, field: Field): string[] {
  switch (field.kind) {
    case 'scalar':
      return [`${path} (${field.type})`]
    case 'object':
      return [...field.fields].flatMap(([name, member]) => leavesOf(`${path}.${name}`, member))
    case 'localized':
      return leavesOf(`${path}.{locale}`, field.element)
    case 'list':
      return leavesOf(`${path}[]`, field.element)
  }
}
