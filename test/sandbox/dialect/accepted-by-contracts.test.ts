import { expect, test } from 'vitest'
import { contractNames, contracts, type ContractName } from '../../../src/contracts/contracts.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { cases, someOf } from '../../depth.ts'

const isProduct = (name: ContractName) => contracts[name].record === 'product'

const others = contractNames.filter((name) => !isProduct(name))

test.each(someOf(others, 'v4/organization', 'v3/news-item', 'v4/media'))(
  '%s accepts every record of the loose dialect',
  (name) => {
    expect(listRefused(name)).toEqual([])
  },
)

test.each(contractNames.filter(isProduct))(
  '%s accepts every product of the loose dialect but for fractional weights and the wrong value in one of 200',
  (name) => {
    const refused = listRefused(name)
    const wrong = refused.filter(({ issues }) => issues.some((issue) => !/^weight .* got number/.test(issue)))
    expect(wrong.map(({ number }) => number)).toEqual([150, 350, 550].filter((number) => number < records))
    for (const { issues } of refused) expect(issues).toHaveLength(1)
    expect(refused.length).toBeGreaterThan(wrong.length)
    expect(refused.length).toBeLessThan(0.05 * records)
  },
)

const records = cases(600, 200)

function listRefused(name: ContractName) {
  const lines = Buffer.concat([
    ...generateLines({ contract: name, seed: 7, records, dialect: 'loose', envelope: false }),
  ])
  return lines
    .toString()
    .trim()
    .split('\n')
    .map((line, number) => ({ number, issues: listIssues(name, JSON.parse(line)) }))
    .filter(({ issues }) => issues.length > 0)
}

function listIssues(name: ContractName, record: unknown): string[] {
  const issues = contracts[name].schema.safeParse(record).error?.issues ?? []
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`)
}
