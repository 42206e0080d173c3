import { expect, test } from 'vitest'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'

test.each<Contract>(Object.values(contracts))(
  'zod refuses a record of $name without any of its required fields',
  (contract) => {
    const required = [...contract.fields].flatMap(([name, field]) =>
      field.kind === 'scalar' && field.required === true ? [[name]] : [],
    )
    expect((contract.schema.safeParse({}).error?.issues ?? []).map(({ path }) => path)).toEqual(required)
  },
)

test('a contract is built once: every access gives the same object', () => {
  expect(contracts['v4/product']).toBe(contracts['v4/product'])
})
