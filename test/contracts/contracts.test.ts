import { expect, test } from 'vitest'
import { contracts, type Contract } from '../../src/contracts/contracts.ts'

test.each<Contract>(Object.values(contracts))(
  'the required fields of $name are those without which zod refuses it',
  (contract) => {
    const required = [...contract.fields].flatMap(([name, field]) =>
      field.kind === 'scalar' && field.required === true ? [[name]] : [],
    )
    expect((contract.schema.safeParse({}).error?.issues ?? []).map(({ path }) => path)).toEqual(required)
  },
)

test('a contract is the same one whenever it is asked for', () => {
  expect(contracts['v4/product']).toBe(contracts['v4/product'])
})
