import * as fc from 'fast-check'
import { parsers } from 'prettier/plugins/markdown'
import { expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import type { Digest } from '../../../src/inspect/digest/digest-schema.ts'
import { renderMarkdown } from '../../../src/inspect/digest/render-markdown.ts'

const none = { up: 0, down: 0, priced: 0, unpriced: 0, new: 1, back: 0, gone: 0, withdrawn: 0, replaced: 0 }

function toDigest(name: string, notes: readonly string[] = []): Digest {
  const shown = { brand: name, code: name, name, status: null, price: null, successor: null }
  return {
    version: 1,
    pipeline: name,
    since: null,
    until: '2026-01-31T02:00:00.000Z',
    basis: 'runs',
    notes: [...notes],
    units: 'currency',
    counts: none,
    entries: [{ kind: 'new', id: 'M1', ...shown }],
  }
}

interface Node {
  readonly type: string
  readonly depth?: number
  readonly value?: string
  readonly children?: readonly Node[]
}

/** The texts of headings, notes and cells, as a parser of Markdown reads them. What is not text is named by its type. */
async function readTexts(markdown: string): Promise<string[]> {
  const root = (await parsers.markdown.parse(markdown, {} as never)) as Node
  const textOf = ({ type, value, children = [] }: Node): string =>
    ['text', 'sentence', 'word', 'whitespace'].includes(type)
      ? (value ?? '')
      : ['heading', 'paragraph', 'tableCell'].includes(type)
        ? children.map(textOf).join('')
        : `<${type}>`
  const listOf = (node: Node): string[] =>
    ['heading', 'paragraph', 'tableCell'].includes(node.type)
      ? [textOf(node)]
      : (node.children ?? []).length === 0
        ? [`<${node.type}>`]
        : (node.children ?? []).flatMap(listOf)
  return listOf(root)
}

test.each([
  ['Not compared, as the table did not have them when the span began: public_price, price_2.'],
  ['3 * 4 ~ 5, C# & D, {x} <5 mg, 10. 11) -5 > 4 # 2, C:\\temp'],
])('a note as Markdown has no backslash that Markdown does not need: %s', (note) => {
  expect(renderMarkdown(toDigest('kept', [note]), 10)).toContain(`- ${note}\n`)
})

test('names and notes with any signs of Markdown and HTML are read as they are', async () => {
  const plain = ['a', 'b', '1', '9', 'é', ' ', 'amp', 'b>', '](x)', '---']
  const sign = fc.constantFrom(...String.raw`\*_{}[]<>#|~&;!+-.():=/"'`.split(''), '`', ...plain)
  const text = fc
    .array(sign, { minLength: 1, maxLength: 12 })
    .map((signs) => signs.join('').replaceAll(/\s+/g, ' ').trim())
    .filter((each) => each !== '')
  await fc.assert(
    fc.asyncProperty(text, async (each) => {
      const texts = await readTexts(renderMarkdown(toDigest(each, [each]), 10))
      const cells = ['Code', 'Product', 'Change', each, each, '']
      expect(texts).toEqual([
        `${each}: 1 new.`,
        'From an unknown time until 2026-01-31 02:00 UTC',
        each,
        each,
        'New',
        ...cells,
      ])
    }),
    { numRuns: cases(5000, 300) },
  )
})
