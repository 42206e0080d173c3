import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AvroSchema, formatAvroFile, parseAvroFile } from '../../../src/lake/iceberg/avro-file.ts'
import { formatExactJson, parseExactJson } from '../../../src/lake/iceberg/exact-json.ts'
import { fromLocation, toLocation } from '../../../src/lake/iceberg/locations.ts'
import { cases } from '../../depth.ts'

const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

test('whole numbers of 64 bits are exact in JSON, read and written, and all else is what JSON says', () => {
  const value =
    '{"id":4611686018427387905,"least":-9223372036854775808,"text":"9223372036854775807","near":0.1234567890123456}'
  expect(parseExactJson(value)).toEqual({
    id: 4611686018427387905n,
    least: -9223372036854775808n,
    text: '9223372036854775807',
    near: 0.1234567890123456,
  })
  expect(formatExactJson(parseExactJson(value))).toBe(value)
  fc.assert(
    fc.property(fc.json(), long, (json, id) => {
      const text = `{"id":${id},"json":${JSON.stringify(json)},"nested":[${json}]}`
      expect(JSON.parse(formatExactJson(parseExactJson(text)))).toEqual(JSON.parse(text))
      expect(formatExactJson(parseExactJson(`[${id}]`))).toBe(`[${id}]`)
    }),
    { numRuns: cases(1000, 100) },
  )
})

const schema: AvroSchema = {
  type: 'record',
  name: 'entry',
  fields: [
    { name: 'id', type: 'long', 'field-id': 1 },
    { name: 'maybe', type: ['null', 'long'], default: null, 'field-id': 2 },
    { name: 'path', type: 'string', 'field-id': 3 },
  ],
}

test('longs of 64 bits are exact in files of Avro, and a file that ends early is damaged', () => {
  const entry = fc.record({ id: long, maybe: fc.option(long), path: fc.string() })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      const bytes = formatAvroFile(schema, entries, { content: 'data' })
      expect(parseAvroFile(bytes).map((each) => ({ ...(each as object) }))).toEqual(entries)
    }),
    { numRuns: cases(1000, 100) },
  )
  const bytes = formatAvroFile(schema, [{ id: 1n, maybe: null, path: '' }], {})
  for (const length of [bytes.length - 1, bytes.length - 17, 10])
    expect(() => parseAvroFile(bytes.subarray(0, length))).toThrow(TypeError)
  expect(() => parseAvroFile(Buffer.from('PAR1'))).toThrow(TypeError)
})

test.each([
  ['/lake/products', 'file:///lake/products/data/a.parquet'],
  ['/lake/products', 'file:/lake/products/data/a.parquet'],
  ['/lake/products', '/lake/products/data/a.parquet'],
  ['/lake of é/100%/products', 'file:///lake of é/100%/products/data/a.parquet'],
  ['s3://lake/products', 's3a://lake/products/data/a.parquet'],
])('a file in %s is found by the address %s', (folder, location) => {
  expect(fromLocation(folder, location)).toBe(`${folder}/data/a.parquet`)
})

test.each(['/lake/products2/a', '/lake/products', '/lake/products/../x', 's3://lake/products/a', 'file:///other/a'])(
  'the address %s is not in the table /lake/products',
  (location) => {
    expect(() => fromLocation('/lake/products', location)).toThrow('expected files in its folder')
  },
)

test('a folder on a disk has an address with its characters as they are', () => {
  expect(toLocation('/lake of é/100%/products')).toBe('file:///lake of é/100%/products')
  expect(toLocation('s3://lake/products')).toBe('s3://lake/products')
})
