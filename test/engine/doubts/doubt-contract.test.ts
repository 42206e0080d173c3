import { afterEach, beforeEach, expect, test } from 'vitest'
import { contracts, type ContractName } from '../../../src/contracts/contracts.ts'
import { createRecordWriter } from '../../../src/sandbox/data/record-writer.ts'
import { RunFolder } from '../run-folder.ts'

let folder: RunFolder

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

async function listWarnings(written: ContractName, contract: ContractName, extra: object = {}): Promise<string[]> {
  const write = createRecordWriter(contracts[written], { seed: 1 })
  const records = Array.from({ length: 50 }, (_, at) => ({ ...(JSON.parse(write(at)) as object), ...extra }))
  const files = await folder.write('in.ndjson', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const warnings: string[] = []
  const onWarning = (message: string): void => void warnings.push(message)
  await folder.run({ source: { files, contract }, tables: { products: { columns: ['id'] } } }, { onWarning })
  return warnings
}

test('a run warns of records of another contract that pass because its fields are optional', async () => {
  expect(await listWarnings('v4/product', 'v3/product')).toEqual([
    expect.stringMatching(
      /^the records look like v4\/product: nearly all have \d+ fields that v3\/product does not list \(.+\); is source.contract right\?$/,
    ),
  ])
})

test('fields of a market give no warning', async () => {
  expect(await listWarnings('v4/product', 'v4/product', { pzn: '1', artgId: '2', pbs: true, popularity: 3 })).toEqual(
    [],
  )
  expect(await listWarnings('v4/product', 'v4/product')).toEqual([])
})

test('a run suggests that an object over several lines is one document', async () => {
  const files = await folder.write('in.json', JSON.stringify({ brands: [{ id: 1 }] }, null, 2))
  await expect(folder.run({ source: { files, contract: 'v4/product' } })).rejects.toThrow(
    /; is it one JSON document over several lines\? expected a record a line/,
  )
})
