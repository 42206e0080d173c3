import { describe, expect, test } from 'vitest'
import { chooseWorkers } from '../../../src/kernel/encode/choose-workers.ts'

describe('the number of worker threads', () => {
  test.each([
    [1, 0],
    [2, 1],
    [4, 3],
    [8, 7],
    [16, 8],
    [64, 8],
  ])(
    'the number of worker threads leaves one of %d cores to the thread that reads and writes, and is %d',
    (cores, workers) => {
      expect(chooseWorkers({ env: {}, cores })).toBe(workers)
    },
  )

  test.each([
    [1, 2, 0],
    [2, 2, 0],
    [4, 2, 1],
    [16, 3, 5],
  ])('the number of worker threads on %d cores with %d runs at a time is %d for each', (cores, parallel, workers) => {
    expect(chooseWorkers({ env: {}, cores, parallel })).toBe(workers)
  })

  test('the number of worker threads is that of CATALOGUE_WORKERS on any machine and for each of several runs', () => {
    for (const cores of [1, 2, 16]) {
      expect(chooseWorkers({ env: { CATALOGUE_WORKERS: '12' }, cores })).toBe(12)
      expect(chooseWorkers({ env: { CATALOGUE_WORKERS: '0' }, cores, parallel: 4 })).toBe(0)
    }
  })

  test('the number of worker threads follows the number of cores if CATALOGUE_WORKERS is empty', () => {
    expect(chooseWorkers({ env: { CATALOGUE_WORKERS: '' }, cores: 4 })).toBe(3)
  })

  test('the number of worker threads is the one asked for, also beside CATALOGUE_WORKERS', () => {
    expect(chooseWorkers({ asked: 0, env: { CATALOGUE_WORKERS: '12' }, cores: 4 })).toBe(0)
    expect(chooseWorkers({ asked: 2, env: { CATALOGUE_WORKERS: 'many' }, cores: 4 })).toBe(2)
  })

  test.each(['65', '-1', '1.5', 'two', ' 2'])(
    'CATALOGUE_WORKERS=%j is refused as a number of worker threads',
    (text) => {
      const message = `CATALOGUE_WORKERS: expected a whole number from 0 to 64, got "${text}"`
      expect(() => chooseWorkers({ env: { CATALOGUE_WORKERS: text } })).toThrow(
        expect.objectContaining({ code: 'USAGE', message }),
      )
    },
  )
})
