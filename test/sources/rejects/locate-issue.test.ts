import { expect, it } from 'vitest'
import { locateIssue } from '../../../src/sources/rejects/locate-issue.ts'

const at = (raw: string, path: string, code = 'invalid_type') => {
  const { start, end } = locateIssue(raw, { code, path })
  return raw.slice(start, end)
}

it.each([
  ['{"id":"A","cnk":{"a":1}}', 'cnk', '{"a":1}'],
  ['{"meta":{"index":0,"total":9},"result":{"id":"A","meta":{"x":"wrong"}}}', 'meta.x', '"wrong"'],
  ['{"photos":[{"displayOrder":1},{"displayOrder":"x]"}]}', 'photos[1].displayOrder', '"x]"'],
  ['{"photos":[{"a":1},{"displayOrder":7},{"displayOrder":8}]}', 'photos[].displayOrder', '7'],
  ['{"a.b":{"c[0]":true}}', 'a.b.c[0]', 'true'],
  ['{"a":{"b":1},"a.b":2}', 'a.b', '2'],
  ['{"name":{"nl":1}, "name":{"nl":2}}', 'name.nl', '2'],
  ['{"\\u0063nk": 5 }', 'cnk', '5'],
  ['{"eanGtin": "x"}', 'eanGtin[0]', '"x"'],
  ['[[1,2],[3,"4"]]', '[1][1]', '"4"'],
  ['{"text":"a\\"b","n":1}', 'n', '1'],
])('in the line %s, the issue at %s is located at its value', (raw, path, value) => {
  expect(at(raw, path)).toBe(value)
})

it.each([
  ['{"id":"A","photos":[{"x":1}]}', 'photos[0].displayOrder', '{'],
  ['{"id":"A"}', 'name.nl', '{'],
  ['{"name":"plain"}', 'name.nl', '"'],
  ['7', 'id', '7'],
])('marks in %s the beginning of what surrounds the missing %s', (raw, path, mark) => {
  expect(at(raw, path)).toBe(mark)
})

it('finds the fault of a line that is no JSON, and the end of one that is cut', () => {
  expect(locateIssue('{"a":1,,}', { code: 'invalid_json', path: '' })).toEqual({ start: 7, end: 8 })
  expect(locateIssue('{"a":1', { code: 'invalid_json', path: '' })).toEqual({ start: 6, end: 6 })
})

it('finds bytes that are no UTF-8 and halves of characters', () => {
  expect(locateIssue('{"a":"\ufffd"}', { code: 'invalid_utf8', path: '' }).start).toBe(6)
  expect(locateIssue('{"a":"\\ud800"}', { code: 'invalid_unicode', path: '' }).start).toBe(6)
})

it('finds the whole record where the path is empty', () => {
  expect(at('{"meta":{"index":0},"result":[1]}', '')).toBe('[1]')
})
