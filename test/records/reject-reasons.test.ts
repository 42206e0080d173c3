import { expect, it } from 'vitest'
import type { Issue } from '../../src/records/reject.ts'
import { RejectReasons } from '../../src/records/reject-reasons.ts'

const issue = (code: string, path: string, message = 'expected a number, got null'): Issue => ({ code, path, message })

it('counts lines by code and path without list positions, the most frequent reason first', () => {
  const reasons = new RejectReasons()
  reasons.add({ issues: [issue('invalid_type', 'cnk', 'expected text, got an object')] })
  reasons.add({
    issues: [issue('invalid_type', 'photos[0].displayOrder'), issue('invalid_type', 'photos[12].displayOrder')],
  })
  reasons.add({ issues: [issue('invalid_type', 'photos[3].displayOrder', 'expected a number, got text "x"')] })
  expect(reasons.list()).toEqual([
    { code: 'invalid_type', path: 'photos[].displayOrder', count: 2, expected: 'expected a number' },
    { code: 'invalid_type', path: 'cnk', count: 1, expected: 'expected text' },
  ])
})

it('counts a line with several reasons for each of them', () => {
  const reasons = new RejectReasons()
  reasons.add({ issues: [issue('invalid_type', 'cnk'), issue('unknown_field', 'x')] })
  expect(reasons.list().map(({ count }) => count)).toEqual([1, 1])
})

it('lists a thousand reasons and counts the lines with any other, however many there are', () => {
  const reasons = new RejectReasons()
  for (let field = 0; field < 20_000; field++) reasons.add({ issues: [issue('unknown_field', `field${field}`)] })
  for (let line = 0; line < 5; line++) reasons.add({ issues: [issue('unknown_field', 'field7')] })
  const listed = reasons.list()
  expect(listed).toHaveLength(1001)
  expect(listed[0]).toMatchObject({ path: 'field7', count: 6 })
  expect(listed.at(-1)).toEqual({ code: 'other', path: '', count: 19_000, expected: 'the rarer reasons together' })
})
