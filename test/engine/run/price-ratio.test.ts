import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cases } from '../../depth.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { commitShards } from '../../../src/shards/commit/commit-shards.ts'
import { planShards } from '../../../src/shards/plan/plan-shards.ts'
import { runShard } from '../../../src/shards/run/run-shard.ts'
import { runPipeline, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder
beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

type Config = Parameters<RunFolder['run']>[0]

const columns = ['id', 'publicPrice'] as const
const strict = { preset: 'price_ratio', severity: 'error' } as const

function usual(changes: Config = {}) {
  return {
    tables: { products: { columns: [...columns] } },
    expect: [strict],
    maxRemoved: '100%',
    ...changes,
  } satisfies Config
}

async function deliver(prices: readonly (number | null)[]): Promise<string> {
  const lines = prices.map((publicPrice, index) =>
    JSON.stringify({ meta: { total: prices.length, index }, result: { id: `P${index}`, publicPrice } }),
  )
  return folder.write('input.ndjson', lines.map((line) => `${line}\n`).join(''))
}

/** The results of a night with these prices: of its rules, or of its error. */
async function night(prices: readonly (number | null)[], changes: Config = {}, options: RunOptions = {}) {
  await deliver(prices)
  try {
    const { rules = [] } = await folder.run(usual(changes), options)
    return rules.map(({ result, found }) => `${result}: ${found}`)
  } catch (error) {
    return error as { code: string; message: string; fix: string }
  }
}

const cents = Array.from({ length: 200 }, (_, at) => 500 + at)
const euros = cents.map((price) => price / 100)
const some = [820, 820, 820]

function medianOf(prices: readonly number[]): number {
  return prices.toSorted((one, other) => one - other)[Math.ceil(prices.length / 2) - 1] ?? 0
}

describe('the preset price_ratio', () => {
  test('refuses a night of other units, keeps what was published, and one run accepts it', async () => {
    expect(await night(cents)).toEqual(['unjudged: no published run before it'])
    expect(await night(cents.map((price) => price + 30))).toEqual([
      expect.stringMatching(/^kept: a median of 6[12]\d$/),
    ])
    const before = await folder.snapshot()
    const inEuros = euros.map((price) => Math.ceil(price))
    const refused = await night(inEuros)
    expect(refused).toMatchObject({
      code: 'RULE_BROKEN',
      exitCode: 3,
      message: expect.stringMatching(
        /products\.public_price: expected a median at most 10 times above or below that of the last run \(6[12]\d\), got a median of 6$/,
      ),
      fix: expect.stringContaining('run once with `--set expect[0].severity=warn`'),
    })
    expect(await folder.snapshot()).toEqual(before)
    expect(await night(inEuros, { expect: [{ ...strict, severity: 'warn' }] })).toEqual(['broken: a median of 6'])
    expect(await night(inEuros)).toEqual(['kept: a median of 6'])
    expect(await night(cents)).toMatchObject({ code: 'RULE_BROKEN' })
  })

  test('is not judged if there is nothing to compare with, and the manifest says why', async () => {
    const decimal = { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' } as const
    const inEuros = { tables: { products: { columns: [decimal] } }, expect: [{ ...strict, column: 'price' }] }
    const inCents = { tables: { products: { columns: ['publicPrice'] } }, expect: [strict] }
    const renamed = { tables: { products: { columns: [{ column: 'price', from: 'publicPrice' }] } } }
    expect(await night(some, inCents)).toEqual(['unjudged: no published run before it'])
    expect(await night(some, inEuros)).toEqual(['unjudged: no such column in the last run'])
    expect(await night(some, { ...inEuros, ...renamed })).toEqual(['unjudged: another unit in the last run'])
    expect(await night(some, { ...inEuros, ...renamed })).toEqual(['kept: a median of 820'])
    expect(await night([null, null, null], { ...inEuros, ...renamed })).toEqual(['unjudged: no value'])
    expect(await night(some, { ...inEuros, ...renamed })).toEqual(['unjudged: no median above zero in the last run'])
    expect(await night(some, { ...inEuros, ...renamed }, { limit: 2 })).toEqual([
      'unjudged: a sample, which reads a part of the records',
    ])
    expect(await night(some, { ...inEuros, ...renamed })).toEqual(['unjudged: a sample as the last run'])
    await folder.write('out/_profile.json', '{}')
    expect(await night(some, { ...inEuros, ...renamed })).toEqual(['unjudged: no profile of the last run'])
  })

  test('is judged after a run that failed as after the one that is published', async () => {
    await night(some)
    expect(await night(some.map((price) => price * 100))).toMatchObject({ code: 'RULE_BROKEN' })
    expect(await night(some)).toEqual(['kept: a median of 820'])
  })

  test('compares as a few lines of JavaScript do, with any factor, in both directions', async () => {
    let last = 0
    for (let at = 0; at < cases(30, 4); at++) {
      const scale = [1, 2, 3, 5, 8][at % 5] ?? 1
      const prices = Array.from({ length: 9 + at }, (_, place) => ((place * 37) % 40) * scale + scale)
      const factor = 1.5 + (at % 3)
      const median = medianOf(prices)
      const isKept = median <= last * factor && median * factor >= last
      const found = await night(prices, { expect: [{ preset: 'price_ratio', factor }] })
      expect(found).toEqual([
        last === 0 ? 'unjudged: no published run before it' : `${isKept ? 'kept' : 'broken'}: a median of ${median}`,
      ])
      last = median
    }
  })

  test('judges the shards of a run together', async () => {
    const config = {
      name: 'products',
      ...usual({ outputs: [{ format: 'csv', path: 'out/{table}.csv' }] }),
      source: { files: join(folder.path, 'input.ndjson'), contract: 'v4/product' },
    } as const
    const commit = async (name: string) => {
      const to = join(folder.path, name)
      const { shards } = await planShards(planPipeline(config, { outDir: folder.out }), { to, bytes: 4000 })
      expect(shards.length).toBeGreaterThan(1)
      for (const { number } of shards) await runShard(to, number, { workers: 0 })
      return commitShards(to)
    }
    await deliver(cents)
    await runPipeline(config, { outDir: folder.out })
    const { report } = await commit('first')
    expect(report.rules).toMatchObject([{ rule: 'ratio', column: 'public_price', result: 'kept' }])
    await deliver(cents.map((price) => price * 100))
    await expect(commit('second')).rejects.toMatchObject({ code: 'RULE_BROKEN' })
  })
})
