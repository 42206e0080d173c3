import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as zod3 } from 'zod/v3'
import {
  columnsOf,
  contracts,
  flattenRecords,
  parseRecords,
  readRows,
  splitLines,
  validateRecords,
  type AnyContract,
  type Drift,
  type RejectedLine,
  type StandardSchema,
  type ValidatedRecord,
  type ValidateRecordsOptions,
} from '../../src/streams.ts'
import type { OldZodSchema } from '../../src/contracts/standard-schema.ts'
import { collect, toChunks } from './collect.ts'

const product = contracts['v4/product']
const cheap = '{"meta":{"total":2,"index":0},"result":{"id":"M1","publicPrice":100,"name":{"nl":"a"}}}\n'
const dear = '{"meta":{"total":2,"index":1},"result":{"id":"M2","publicPrice":99999,"name":{"nl":"b"}}}\n'

/** The same rule in several libraries: at most 1,000 cents. */
const schemas = {
  'zod 4': z.looseObject({ id: z.string(), publicPrice: z.int().max(1000) }),
  'zod mini': mini.looseObject({ id: mini.string(), publicPrice: mini.int().check(mini.maximum(1000)) }),
  'zod 3': zod3.object({ id: zod3.string(), publicPrice: zod3.number().max(1000) }).passthrough(),
  'zod before Standard Schema': withoutStandard(
    zod3.object({ id: zod3.string(), publicPrice: zod3.number().max(1000) }).passthrough(),
  ),
  'a schema that is a function': Object.assign(() => undefined, standard(judgePrice)),
  'a schema with a promise': standard(async (value) => {
    await wait(1)
    return judgePrice(value)
  }),
}

describe('a contract with a schema of its own', () => {
  test.each(Object.entries(schemas))(
    'the schema decides about every record, and what it refuses is a reject: %s',
    async (_name, schema) => {
      const rejects: RejectedLine[] = []
      const onReject = (reject: RejectedLine): void => void rejects.push(reject)
      const items = await validate(cheap + dear, { ...product, schema }, { onReject })
      expect(items.map(({ record }) => record)).toEqual([{ id: 'M1', publicPrice: 100, name: { nl: 'a' } }])
      expect(rejects).toEqual([
        {
          line: 2,
          byteOffset: cheap.length,
          index: 1,
          id: 'M2',
          issues: [{ code: expect.any(String), path: 'publicPrice', message: expect.stringMatching(/1000/) }],
          raw: dear.trim(),
        },
      ])
      await expect(validate(dear, { ...product, schema })).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
    },
  )

  test('the record is what the schema gives, with its type, and flattens by the fields of the contract', async () => {
    const schema = z.object({ id: z.string(), name: z.record(z.string(), z.string()).transform(() => ({ nl: 'x' })) })
    const contract = { ...product, schema }
    expectTypeOf<ValidatedRecord<typeof contract>['record']>().toEqualTypeOf<{ id: string; name: { nl: string } }>()
    const options = { contract, table: 'products', columns: ['id', 'name', 'publicPrice'], locales: ['nl'] }
    const stages = [splitLines(), parseRecords(), validateRecords(contract), flattenRecords(options)]
    expect(await collect(toChunks(cheap), ...stages)).toEqual([{ id: 'M1', name_nl: 'x', public_price: null }])
    expect(columnsOf(options).map(({ name }) => name)).toEqual(['id', 'name_nl', 'public_price'])
  })

  test('the types of schemas of other libraries are those of the record', () => {
    type RecordBy<Schema extends AnyContract['schema']> = ValidatedRecord<
      Omit<AnyContract, 'schema'> & { schema: Schema }
    >['record']
    expectTypeOf<RecordBy<(typeof schemas)['zod mini']>['publicPrice']>().toEqualTypeOf<number>()
    expectTypeOf<RecordBy<(typeof schemas)['zod 3']>['publicPrice']>().toEqualTypeOf<number>()
    expectTypeOf<RecordBy<(typeof schemas)['zod before Standard Schema']>['id']>().toEqualTypeOf<string>()
    expectTypeOf<RecordBy<StandardSchema<{ price: number }>>>().toEqualTypeOf<{ price: number }>()
  })

  test('a contract from scratch needs a name, fields and a schema', async () => {
    const contract = {
      name: 'shop/price',
      record: 'price',
      plural: 'prices',
      version: 1,
      fields: new Map([['sku', { kind: 'scalar', type: 'text', description: 'Key', notes: {} } as const]]),
      schema: z.object({ sku: z.string() }),
    }
    const stages = [splitLines(), parseRecords(), validateRecords(contract), flattenRecords({ table: 'prices' })]
    expect(await collect(toChunks('{"sku":"a","more":1}\n'), ...stages)).toEqual([{ sku: 'a' }])
  })

  test('the schema gets every digit, also if parseRecords has rounded', async () => {
    const given: unknown[] = []
    const keep = standard((value) => {
      given.push((value as { publicPrice: unknown }).publicPrice)
      return { value: value as object }
    })
    const line = '{"id":"M1","publicPrice":9007199254740993}\n'
    for (const exactNumbers of [true, false]) {
      const stages = [splitLines(), parseRecords({ exactNumbers }), validateRecords({ ...product, schema: keep })]
      await collect(toChunks(line), ...stages)
    }
    expect(given).toEqual([9007199254740993n, 9007199254740993n])
  })

  test('drift is counted in what the schema gives, and wrong values become null if that is asked for', async () => {
    const drifts: Drift[] = []
    const schema = z.looseObject({ id: z.string(), publicPrice: z.int().max(1000).nullable() })
    const options = { invalidValues: 'null', onDrift: (drift: Drift) => void drifts.push(drift) } as const
    const [item] = await validate('{"id":"M1","publicPrice":99999,"newField":1}\n', { ...product, schema }, options)
    expect(item?.record).toEqual({ id: 'M1', publicPrice: null, newField: 1 })
    expect(drifts).toMatchObject([
      { unknownFields: { newField: 1 }, invalidValues: { publicPrice: { 'number 99999': 1 } } },
    ])
    const strict = { ...product, schema: z.looseObject({ publicPrice: z.int().max(1000) }) }
    await expect(validate(dear, strict, { invalidValues: 'null' })).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
    const codes: string[] = []
    await validate(
      '{"id":"M1","newField":1}\n',
      { ...product, schema: z.looseObject({}) },
      {
        unknownFields: 'reject',
        onReject: ({ issues }) => void codes.push(...issues.map(({ code }) => code)),
      },
    )
    expect(codes).toEqual(['unknown_field'])
  })

  test('what the schema throws ends the stream as it is', async () => {
    const mine = new RangeError('my own mistake')
    const fail = (): never => {
      throw mine
    }
    for (const schema of [standard(fail), standard(async () => fail()), z.unknown().transform(fail)]) {
      await expect(validate(cheap, { ...product, schema })).rejects.toBe(mine)
    }
  })

  test('a schema that gives no object ends the stream, and readRows refuses it at once', async () => {
    const contract = { ...product, schema: z.looseObject({ id: z.string() }).transform(({ id }) => id) }
    await expect(validate(cheap, contract)).rejects.toMatchObject({
      code: 'USAGE',
      message: 'validateRecords: expected contract.schema to give an object, got text "M1"',
    })
    expect(() => readRows({ contract: { ...product, schema: z.looseObject({}) }, table: 'products' })).toThrow(
      /^readRows: expected contract to be one of this package, .* \(validateRecords takes others\), got another one, named "v4\/product"$/,
    )
  })
})

type Judge = StandardSchema<object>['~standard']['validate']

function standard(judge: Judge): StandardSchema<object> {
  return { '~standard': { version: 1, vendor: 'test', validate: judge } }
}

/** As the standard allows it: segments of paths are objects, and issues have no code. */
function judgePrice(value: unknown): Awaited<ReturnType<Judge>> {
  const record = value as { readonly publicPrice: number }
  if (record.publicPrice <= 1000) return { value: record }
  return { issues: [{ message: 'more than 1000', path: [{ key: 'publicPrice' }] }] }
}

function withoutStandard<Output>(schema: OldZodSchema<Output>): OldZodSchema<Output> {
  const { _output, safeParseAsync } = schema
  return { _output, safeParseAsync: (value) => safeParseAsync(value) }
}

function validate<Of extends AnyContract>(
  text: string,
  contract: Of,
  options: ValidateRecordsOptions = {},
): Promise<ValidatedRecord<Of>[]> {
  return collect(toChunks(text), splitLines(), parseRecords(), validateRecords(contract, options))
}
