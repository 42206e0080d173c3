import { expect, it } from 'vitest'
import { checkRows } from '../../../src/shards/spark/check-rows.ts'
import { formatNumbers } from '../../../src/shards/commit/choose-attempts.ts'
import type { ShardRow } from '../../../src/shards/spark/run-tasks.ts'
import { CatalogueError } from '../../../src/errors.ts'

const well: ShardRow = { shard: 0, attempt: 0, host: 'one', exit_code: 0, seconds: 1, stderr: 'a note' }

it('finished shards on Spark are no failure, whatever they wrote to standard error', () => {
  expect(() => checkRows([well, { ...well, shard: 1, attempt: 3 }])).not.toThrow()
})

it('a run on Spark has the error code and advice of the shard that fails at every repetition', () => {
  const [busy, lasting] = [
    'OUTPUT_FAILED An output could not be written\n  "out": no space\n  Try: free some',
    'products: note: something\nCONFIG_INVALID The pipeline config has problems\n  first\n  second\n  Try: correct it',
  ]
  const error = catchError([
    { ...well, shard: 2, exit_code: 5, attempt: 3, host: 'two', stderr: busy },
    { ...well, shard: 3, exit_code: 2, stderr: lasting },
    well,
    { ...well, shard: 4, exit_code: 2, host: 'two', stderr: lasting },
  ])
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', fix: 'correct it', outputs: 'Nothing was saved.' })
  expect(error.message).toBe('shard 2 on two: "out": no space\nshard 3-4 on one: first\nsecond')
})

it('a shard on Spark that was killed at every attempt is named with its exit code and the number of attempts', () => {
  const error = catchError([{ ...well, exit_code: 137, attempt: 3, stderr: '' }])
  expect(error).toMatchObject({
    code: 'OUTPUT_FAILED',
    message: 'shard 0 on one: expected exit code 0, got 137 at attempt 4',
  })
})

it('consecutive numbers of shards are written as a range', () => {
  expect(formatNumbers([0, 1, 2, 5, 7, 8])).toBe('0-2,5,7-8')
  expect(formatNumbers([3])).toBe('3')
})

function catchError(rows: readonly ShardRow[]): CatalogueError {
  try {
    checkRows(rows)
  } catch (error) {
    if (error instanceof CatalogueError) return error
  }
  throw new Error('expected a CatalogueError')
}
