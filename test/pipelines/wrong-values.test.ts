import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ReadyRig } from './ready-rig.ts'
import { readRecords, type ServiceRecord } from './service-records.ts'
import { someOf } from '../depth.ts'
import type { Manifest } from '../../src/manifest/manifest.ts'

/** As many as the loose dialect needs to send each of its wrong values. */
const products = 2000

const shared = ['weight', 'officialDeletionAt', 'photos', 'publicPrice', 'vat', 'prescription', 'publicCategories']

/** Configs over products that keep no record as it came, and where their records have wrong values. */
const versions = [
  {
    endpoint: 'v3/products/export',
    files: ['products-v3.yaml', 'compare-v3.yaml'],
    paths: [...shared, 'meta.createdAt'],
  },
  {
    endpoint: 'v4/products/stream',
    files: [
      'products.yaml',
      'products-analyst.yaml',
      'compare-v4.yaml',
      'descriptions.yaml',
      'galenic-shapes.yaml',
      'images.yaml',
      'leaflets.yaml',
      'species.yaml',
    ],
    paths: [...shared, 'meta.createdAt', 'supplyProblems', 'weightWithUnit.value'],
  },
]

let rig: ReadyRig

beforeAll(async () => {
  rig = await ReadyRig.start({ products, dialect: 'loose' })
})
afterAll(() => rig.close())

describe.each(someOf(versions, versions[1]!))(
  'ready pipelines over products of $endpoint',
  ({ endpoint, files, paths }) => {
    const found = new Set<string>()

    beforeAll(async () => {
      const records = await readRecords(rig.sandbox, endpoint)
      const pairs = records.map((record) => ({ record, cleaned: withoutWrongValues(record, found) }))
      const chosen = pairs.filter(({ record, cleaned }, index) => cleaned !== record || index % 20 === 0)
      await writeFile(pathOf('sent'), toLines(chosen.map(({ record }) => record)))
      await writeFile(pathOf('cleaned'), toLines(chosen.map(({ cleaned }) => cleaned)))
    })

    test('the dialect sends every wrong value', () => {
      expect([...found].toSorted()).toEqual(paths.toSorted())
    })

    test.each(someOf(files, files[0]!))(
      '%s loses no product, and its rows are those of records with null for wrong values',
      async (file) => {
        const { report } = await rig.run(file, '--from', pathOf('sent'))
        const rows = await readAll(file, report)
        const strict = await rig.run(file, '--from', pathOf('cleaned'), '--set', 'contract.invalidValues=reject')
        expect(report.ledger).toEqual({ ...strict.report.ledger, rejected: 0 })
        expect(paths).toEqual(expect.arrayContaining(Object.keys(report.drift.invalidValues)))
        expect(report.drift.invalidValues).toHaveProperty('weight')
        expect(rows).toEqual(await readAll(file, strict.report))
      },
    )
  },
)

const isFloat = (value: unknown): boolean =>
  ['number', 'string'].includes(typeof value) && Number.isFinite(Number(value))
const isWhole = (value: unknown): boolean => isFloat(value) && Number.isInteger(Number(value))
const isObject = (value: unknown): value is ServiceRecord => typeof value === 'object' && value !== null

/** The fields that the loose dialect sends wrong values in, and what is right there. */
const right: Record<string, (value: unknown) => boolean> = {
  weight: isWhole,
  officialDeletionAt: isWhole,
  photos: isObject,
  publicPrice: isWhole,
  vat: isFloat,
  prescription: (value) => typeof value === 'boolean',
  supplyProblems: isObject,
  'weightWithUnit.value': isFloat,
  publicCategories: isObject,
  'meta.createdAt': isWhole,
}

/** The record itself where nothing is wrong, and else one with null in the place of each wrong value. */
function withoutWrongValues(record: ServiceRecord, found: Set<string>, parent = ''): ServiceRecord {
  let cleaned = record
  for (const [name, value] of Object.entries(record)) {
    const path = parent + name
    let result = value
    if (value !== null && right[path]?.(value) === false) {
      found.add(path)
      result = null
    } else if (parent === '' && isObject(value) && !Array.isArray(value)) {
      result = withoutWrongValues(value, found, `${path}.`)
    }
    if (result !== value) cleaned = { ...cleaned, [name]: result }
  }
  return cleaned
}

function toLines(records: readonly ServiceRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

const pathOf = (name: string): string => join(rig.work, `${name}.ndjson`)

async function readAll(file: string, report: Manifest): Promise<unknown> {
  const plan = await rig.plan(file)
  const tables = plan.records.tables.map(({ name }) => name)
  return Promise.all(tables.map(async (table) => ({ table, rows: await rig.readTable(plan.outputs, report, table) })))
}
