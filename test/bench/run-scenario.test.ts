import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runScenario } from '../../bench/run-scenario.ts'
import type { Scenario } from '../../bench/scenarios.ts'
import { fakeSide } from './fake-sides.ts'

let outDir: string
beforeAll(async () => {
  outDir = await mkdtemp(join(tmpdir(), 'run-scenario-'))
})
afterAll(() => rm(outDir, { recursive: true, force: true }))

function run(scenario: Partial<Scenario>, warmUp = true) {
  return runScenario(
    { name: 'csv', title: 'a title', sides: [], marks: [], ...scenario },
    {
      runs: 2,
      warmUp,
      outDir,
      inputOf: async ({ records }) => ({ path: 'in', records, bytes: 1_000_000 }),
      onRun: () => undefined,
    },
  )
}

describe('the sides of a scenario', () => {
  it('the sides of a scenario take turns, and their first runs are not measured', async () => {
    const order: string[] = []
    const note = (name: string) => order.push(name)
    const { sides } = await run({ sides: [fakeSide('a', [9, 1, 2], note), fakeSide('b', [8, 3, 4], note)] })
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
    expect(sides.map(({ runs }) => runs.map(({ wallMs }) => wallMs))).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('the sides of a scenario are measured from the first run on without a warm-up', async () => {
    const { sides } = await run({ sides: [fakeSide('a', [9, 1])] }, false)
    expect(sides[0]?.runs.map(({ wallMs }) => wallMs)).toEqual([9, 1])
  })

  it('the sides of a scenario are all compared with the first, once', async () => {
    const sides = ['a', 'b', 'c'].map((name) => fakeSide(name, [1, 1, 1]))
    const { checks } = await run({ sides, compare: async () => '100 rows agree' })
    expect(checks).toEqual(['a and b: 100 rows agree', 'a and c: 100 rows agree'])
  })

  it('the sides of a scenario must have the same outputs', async () => {
    const sides = ['a', 'b'].map((name) => fakeSide(name, [1, 1, 1]))
    await expect(run({ sides, compare: failing })).rejects.toThrow('csv, a and b: the number of rows differs')
  })
})

const failing = () => Promise.reject(new Error('the number of rows differs'))
