import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue/catalogue.ts'
import { contractNames, type ContractName } from '../../src/contracts/contracts.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { isDeep } from '../depth.ts'
import type { DialectName } from '../../src/sandbox/dialect/dialect.ts'
import { dialects } from '../sandbox/dialects.ts'
import { readDeclaredTables } from './declared-tables.ts'

/* The declared type of every column of every table, against the cells of records in every form that is taken, and of emptied ones. */

const declared = await readDeclaredTables()

/** What no cell has here: a null in a list of sizes is dropped, and the other columns are always filled. */
const isNever = (member: string) =>
  /\.formats_unkeyed: null in list$|^product_supply_problems\.(?:from_date|impact): null$/.test(member) ||
  ['products.interface_version: null', 'products.documented_price_unit: null', 'records.record: null'].includes(member)

test('the declarations have the tables of every contract', () => {
  expect([...declared.keys()].toSorted()).toEqual([...contractNames].toSorted())
})

test.runIf(isDeep).each(contractNames)(
  'every cell of the tables of %s has a type that its column declares, and every such type is that of a cell',
  async (contract) => {
    const unseen = new Set<string>()
    for (const [table, columns] of declared.get(contract) ?? []) {
      const rows = await readRows(contract, table)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter((row) => Object.keys(row).join() !== [...columns.keys()].join())).toEqual([])
      for (const [column, members] of columns) {
        const found = new Map(rows.flatMap((row) => listKinds(row[column])))
        expect({ [column]: [...found.keys()].filter((kind) => !members.has(kind)) }).toEqual({ [column]: [] })
        for (const kind of members)
          if (!kind.startsWith("'") && !found.has(kind)) unseen.add(`${table}.${column}: ${kind}`)
      }
    }
    expect([...unseen].filter((each) => !isNever(each))).toEqual([])
  },
)

async function readRows(contract: ContractName, table: string): Promise<readonly Record<string, unknown>[]> {
  const rows = sourcesOf(contract).map(async ([lines, version]) => {
    const options = { invalidValues: null, rejects: { limit: '100%' }, ...(version && { interface: version }) } as const
    return catalogue(contract)
      .from(Readable.from([lines.join('')]), options)
      .rows(table)
      .toArray()
  })
  return (await Promise.all(rows)).flat()
}

/** Records of a contract, with the interface of those that do not say it. */
function sourcesOf(
  contract: ContractName,
): readonly (readonly [lines: readonly string[], version: 'v3' | 'v4' | null])[] {
  if (contract === 'product')
    return [
      [linesOf('v3/product'), 'v3'],
      [linesOf('v4/product'), 'v4'],
    ]
  return [[linesOf(contract === 'raw' ? 'v4/brand' : contract), null]]
}

const made = new Map<ContractName, readonly string[]>()

/** Records as they come, and of the first ones forms that are rare. */
function linesOf(contract: ContractName): readonly string[] {
  const lines = made.get(contract) ?? ['{}\n', ...dialects.flatMap((dialect) => makeLines(contract, dialect))]
  made.set(contract, lines)
  return lines
}

function makeLines(contract: ContractName, dialect: DialectName): string[] {
  const options = {
    contract,
    dialect,
    records: 60,
    seed: 1,
    envelope: false,
  } as const
  const lines = Buffer.concat([...generateLines(options)])
    .toString()
    .trimEnd()
    .split('\n')
  const longest = lines.toSorted((left, right) => right.length - left.length).slice(0, 8)
  const rare = longest.flatMap((line) => toRareForms(JSON.parse(line) as object))
  return [...lines, ...rare.map((record) => JSON.stringify(record))].map((line) => `${line}\n`)
}

/** A record without values, one without lists of values, one with large numbers, and one with lists in place of sizes. */
function toRareForms(record: { readonly id?: unknown }): object[] {
  const change = (toOther: (value: unknown, key: string) => unknown) =>
    JSON.parse(JSON.stringify(record, (key, value: unknown) => toOther(value, key))) as object
  return [
    { ...change((value) => (isLeaf(value) ? null : value)), id: record.id },
    change((value) => (Array.isArray(value) && value.every(isLeaf) ? null : value)),
    change((value) => (Number.isInteger(value) ? 2 ** 60 : value)),
    change((value, key) => (key === 'formats' ? [null, 'https://example.com/a.jpg'] : value)),
  ]
}

const isLeaf = (value: unknown) => typeof value !== 'object' || value === null

function listKinds(cell: unknown, place = ''): readonly (readonly [kind: string, value: unknown])[] {
  if (Array.isArray(cell)) return [['list', cell], ...cell.flatMap((each) => listKinds(each, ' in list'))]
  const kind = cell === null ? 'null' : typeof cell === 'object' ? cell.constructor.name : typeof cell
  return [[kind + place, cell]]
}
