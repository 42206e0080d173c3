import { readFile } from 'node:fs/promises'
import { tableFromIPC } from 'apache-arrow'
import { parquetMetadata } from 'hyparquet'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { runPlan } from '../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { RunFolder } from '../cli/run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

async function run(output: Partial<NonNullable<PipelineConfig['outputs']>[number]>): Promise<void> {
  const files = await folder.generate('data.ndjson', 'v4/product', 50)
  const columns = [
    'id',
    'gtin',
    { column: 'price', from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
    { column: 'day', from: 'meta.updatedAt', as: 'date', timezone: 'Europe/Brussels' },
    'weirdness',
  ] as const
  await runPlan(
    planPipeline({
      name: 'shop',
      source: { files, contract: 'v4/product' },
      contract: { extra: { weirdness: 'text' } },
      tables: { products: { columns: [...columns] } },
      outputs: [{ format: 'parquet', path: folder.at('out/{table}.parquet'), ...output } as never],
    }),
  )
}

/** Metadata of each field, as readers of Arrow see it. */
async function readFields(): Promise<[string, Record<string, string>][]> {
  const bytes = await readFile(folder.at('out/products.parquet'))
  const { key_value_metadata: pairs = [] } = parquetMetadata(new Uint8Array(bytes).buffer)
  const { value = '' } = pairs.find(({ key }) => key === 'ARROW:schema') ?? {}
  const { fields } = tableFromIPC(Buffer.from(value, 'base64')).schema
  return fields.map(({ name, metadata }) => [name, Object.fromEntries(metadata)])
}

const described = [
  ['id', { description: 'Unique product identifier' }],
  ['gtin', { description: 'GTIN', deprecated: 'use eanGtin14' }],
  [
    'price',
    {
      description: 'Public price, including VAT (money, delivered in cents, divided by 100)',
      unit: 'money, delivered in cents, divided by 100',
    },
  ],
  [
    'day',
    { description: expect.stringMatching(/\(day in Europe\/Brussels\)$/) as string, time_zone: 'Europe/Brussels' },
  ],
  ['weirdness', { description: 'Beyond the contract' }],
]

test('fields of a published Parquet file have the meaning, unit and time zone of their columns', async () => {
  await run({})
  expect(await readFields()).toEqual(described)
})

test('fields of a merged Parquet file have the meaning of their columns, and mode columns their own', async () => {
  await run({ mode: 'history' })
  expect(await readFields()).toEqual([
    ...described,
    ['valid_from', { description: 'When this version of the record began' }],
    ['valid_to', { description: 'When it ended; empty for the current version' }],
    ['is_current', { description: 'True for the current version of the record' }],
  ])
})
