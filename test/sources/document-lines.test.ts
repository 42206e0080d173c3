import { describe, expect, test } from 'vitest'
import { DocumentLines } from '../../src/sources/document-lines.ts'

const megabyte = 'x'.repeat(1024 * 1024)

describe('the memory of a document', () => {
  test('the memory of a document holds only the beginning of a record that is too long', () => {
    const long = { id: 'B', list: Array.from({ length: 400 }, (_, at) => `item ${at}`) }
    const text = JSON.stringify({ results: [{ id: 'A' }, long, { id: 'C' }], meta: { total: 3 } })
    const lines = new DocumentLines(100)
    const got = text
      .split('')
      .flatMap((character) => [...lines.push(character)])
      .concat(...lines.end())
    expect(got).toEqual(['{"id":"A"}', JSON.stringify(long).slice(0, 101), '{"id":"C"}'])
    expect(lines.meta.total).toBe(3)
  })

  test('the memory of a document holds nothing of members that say nothing', () => {
    const lines = new DocumentLines(100)
    const more = { more: [1, { a: 'x'.repeat(1000) }], results: [{ id: 'A' }], again: 'y'.repeat(1000) }
    expect([...lines.push(JSON.stringify(more)), ...lines.end()]).toEqual(['{"id":"A"}'])
  })

  test.each(['meta', 'error'])('the memory of a document holds no %s without an end', (name) => {
    const lines = new DocumentLines(100)
    const text = JSON.stringify({ [name]: { total: 'x'.repeat(200) }, results: [] })
    expect(() => [...lines.push(text)]).toThrow(`a member "${name}" of more than 100 characters`)
  })

  test.each([
    ['a text', '["'],
    ['a number', '[1'],
    ['a text in a member', '{"more":"'],
    ['a key', '{"more'],
  ])('the memory of a document does not hold %s without an end', (_, beginning) => {
    const lines = new DocumentLines(100)
    const piece = beginning.endsWith('1') ? megabyte.replaceAll('x', '1') : megabyte
    expect([...lines.push(beginning)]).toEqual([])
    const pushMuch = (): void => {
      for (let at = 0; at < 64; at++) for (const line of lines.push(piece)) expect(line).toBe('')
    }
    expect(pushMuch).toThrow('a single value of more than 16777216 characters')
  })
})
