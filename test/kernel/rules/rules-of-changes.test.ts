import { afterEach, beforeEach, expect, test } from 'vitest'
import { StateFolder } from '../../loads/state/state-folder.ts'

let folder: StateFolder

beforeEach(async () => {
  folder = await StateFolder.create()
})
afterEach(() => folder.close())

test('a run that reads what changed judges its rows, and not how many there are', async () => {
  const expected = [
    { rows: { from: 10 } },
    { column: 'id', filled: '5 rows' },
    { column: 'id', filled: '100%', unique: true },
    { column: 'status', in: ['none'], severity: 'warn' as const },
  ] satisfies NonNullable<Parameters<StateFolder['run']>[0]>['expect']
  const first = await folder.run({ expect: expected })
  expect(first.state.kind).toBe('full')
  expect(first.rules?.map(({ result }) => result)).toEqual(['kept', 'kept', 'kept', 'kept', 'broken'])
  folder.sandbox.advance()
  const second = await folder.run({ expect: expected })
  expect(second.state.kind).toBe('delta')
  expect(second.rules?.map(({ result }) => result)).toEqual(['unjudged', 'unjudged', 'kept', 'kept', 'broken'])
  expect(second.rules?.[4]?.count).toBe(second.tables[0]?.rows)
})
