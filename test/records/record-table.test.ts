import { expect, test } from 'vitest'
import { contracts } from '../../src/contracts/contracts.ts'
import { toRecordTable } from '../../src/records/record-table.ts'
import { planRecords, processAll } from './plan-records.ts'

test('a field that the contract of a load does not have is null in its records, also where a key has no name', () => {
  const contract = 'v4/correction'
  const plan = { ...planRecords({}, contract), tables: [toRecordTable(contracts[contract], null)] }
  const [outcome] = processAll(plan, '{"id":1,"":12}\n')
  expect(outcome?.rows).toEqual([[['1', expect.stringMatching(/^[0-9a-f]{16}$/), null, null, null]]])
})
