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

describe('the results of a document', () => {
  test('the results of a document may have another name: its only list of objects', () => {
    expect(read('{"meta":{"total":2},"brands":[{"id":1},{"id":2}]}')).toEqual(['{"id":1}', '{"id":2}'])
    expect(read('{"codes":[1,{"id":0}],"fields":[{"code":"name"}],"meta":null}')).toEqual(['{"code":"name"}'])
    expect(read('{"meta":{"total":0},"brands":[]}')).toEqual([])
    expect(read('{"links":[],"brands":[{"id":1}]}')).toEqual(['{"id":1}'])
  })

  test('the results of a document are those of that name where a list of other objects follows', () => {
    expect(read('{"results":[{"id":1}],"facets":[{"id":2}]}')).toEqual(['{"id":1}'])
    expect(read('{"results":[],"facets":[{"id":2}]}')).toEqual([])
  })

  test('the results of a document are refused where two lists may be meant, or none', () => {
    expect(() => read('{"brands":[{"id":1}],"colors":[{"id":2}]}')).toThrow(
      'two lists of results, "brands" and "colors"',
    )
    expect(() => read('{"facets":[{"id":2}],"results":[{"id":1}]}')).toThrow(
      'two lists of results, "facets" and "results"',
    )
    expect(() => read('{"codes":["a"],"error":null}')).toThrow('neither a list nor an object with a list of results')
  })
})

function read(text: string): string[] {
  const lines = new DocumentLines(1000)
  return text
    .split('')
    .flatMap((character) => [...lines.push(character)])
    .concat(...lines.end())
}
