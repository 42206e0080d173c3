import { expect, test } from 'vitest'
import {
  formatPartitionFolder,
  formatPartNumber,
  formatPartPath,
  toPartNamePattern,
} from '../../../src/loads/files/part-paths.ts'

test('part paths are folders and numbers where readers look for them', () => {
  const place = { folders: ['run_date=2026-11-20', 'status=a'], suffix: '-00001' }
  expect(formatPartPath('out/products.v2.csv.gz', place)).toBe(
    'out/run_date=2026-11-20/status=a/products.v2-00001.csv.gz',
  )
  expect(formatPartPath('products.parquet', place)).toBe('run_date=2026-11-20/status=a/products-00001.parquet')
  expect(formatPartPath('s3://bucket/a//products', place)).toBe(
    's3://bucket/a//run_date=2026-11-20/status=a/products-00001',
  )
  expect(formatPartPath('out/products.csv', { folders: [], suffix: '' })).toBe('out/products.csv')
  expect(formatPartNumber(12)).toBe('-00012')
})

test("the pattern of an output knows its own files, and nobody else's", () => {
  const pattern = toPartNamePattern('out/products.v2.csv.gz')
  const own = ['', '-00001', '-123456', '-0123abcd', '-0123abcd-00001']
  expect(own.filter((suffix) => !pattern.test(`products.v2${suffix}.csv.gz`))).toEqual([])
  const others = [
    'products.v2.csv',
    'products-v2.csv.gz',
    'products.v2-photos.csv.gz',
    'products.v2-1.csv.gz',
    'my-products.v2.csv.gz',
  ]
  expect(others.filter((name) => pattern.test(name))).toEqual([])
})

test('a part path percent-encodes the special characters of paths and patterns', () => {
  expect(formatPartitionFolder('status', '__HIVE_DEFAULT_PARTITION__')).toBe('status=__HIVE_DEFAULT_PARTITION__')
  expect(formatPartitionFolder('a=b', 'x/../y?*[1]{2}\n%:"\'\\')).toBe(
    'a%3Db=x%2F..%2Fy%3F%2A%5B1%5D%7B2}%0A%25%3A%22%27%5C',
  )
})

test('a part path on Windows also encodes what only Windows takes for special, as Spark does', () => {
  expect(formatPartitionFolder('brand', 'A <b> | Co.', 'win32')).toBe('brand=A%20%3Cb%3E%20%7C%20Co%2E')
  expect(formatPartitionFolder('brand', 'A <b> | Co.', 'linux')).toBe('brand=A <b> | Co.')
})
