import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import { expect, it } from 'vitest'
import { IdSet } from '../../../src/engine/reading/id-set.ts'
import { IdWriter } from '../../../src/records/id-entries.ts'
import { cases } from '../../depth.ts'

it('an IdSet knows an id exactly if a set of strings does', () => {
  const id = oneof(
    string({ unit: 'binary', maxLength: 5 }),
    constantFrom(
      '',
      '\0',
      '\0\0',
      'a',
      'a\0',
      '\ud800',
      '\udc00',
      '\ufffd',
      'x'.repeat(8100),
      'y'.repeat(8200),
      'y'.repeat(8201),
    ),
    integer({ min: 0, max: 500 }).map(String),
  )
  assert(
    property(array(id, { maxLength: 3000 }), (ids) => {
      expect(findWrong(ids)).toEqual([])
    }),
    { numRuns: cases(50, 10) },
  )
})

it('an IdSet is exact for hundreds of thousands of ids that each come twice', () => {
  const ids = Array.from({ length: cases(300_000, 100_000) }, (_, index) => `M${(index * 7919).toString(36)}`)
  expect(findWrong([...ids, ...ids])).toEqual([])
})

/** The ids that a set of strings says otherwise of. */
function findWrong(ids: readonly string[]): string[] {
  const [set, expected] = [new IdSet(), new Set<string>()]
  return ids.filter((id) => {
    const isNew = !expected.has(id)
    expected.add(id)
    const entries = new IdWriter()
    entries.add(id, 0)
    return set.add(entries.finish()) !== Number(!isNew)
  })
}
