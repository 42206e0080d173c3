import { expect, test } from 'vitest'
import {
  checkObjectPath,
  formatObjectPath,
  isObjectPath,
  isRunPathOf,
  parseObjectPath,
  toRunPath,
} from '../../../src/storage/s3/object-path.ts'

test('the path of an object has a bucket and a key', () => {
  const place = { bucket: 'warehouse', key: 'out/products.parquet' }
  expect(parseObjectPath('s3://warehouse/out/products.parquet')).toEqual(place)
  expect(formatObjectPath(place)).toBe('s3://warehouse/out/products.parquet')
  expect([isObjectPath('s3://warehouse/x'), isObjectPath('s3/x'), isObjectPath('/s3://x')]).toEqual([
    true,
    false,
    false,
  ])
})

test.each([
  ['s3://Warehouse/a.csv', 'small letters'],
  ['s3:///a.csv', 'got ""'],
  ['s3://warehouse', 'expected the path of a file'],
  ['s3://warehouse/', 'expected the path of a file'],
  ['s3://warehouse/out/', 'expected the path of a file'],
  ['s3://warehouse/out//a.csv', 'folders with names'],
  ['s3://warehouse/../a.csv', 'folders with names'],
  ['abfss://lake@account.example.com/{table}', 'expected a path on this machine or in an S3 bucket, s3://…'],
  ['gs://lake/{table}', 'got "gs://lake/{table}"'],
  ['S3A://lake/a.csv', 'expected a path on this machine'],
])('the path %s of an object is refused', (path, problem) => {
  expect(checkObjectPath(path)).toContain(problem)
})

test('a path of a file in a bucket has no problem', () => {
  expect(checkObjectPath('s3://warehouse/out/products.parquet')).toBeUndefined()
  expect(checkObjectPath('C:/out/products.parquet')).toBeUndefined()
})

test.each([
  ['s3://b/out/products.parquet', 's3://b/out/products.run-4f1c.parquet'],
  ['s3://b/out/products.csv.gz', 's3://b/out/products.run-4f1c.csv.gz'],
  ['s3://b/products', 's3://b/products.run-4f1c'],
  ['s3://b/.hidden', 's3://b/.hidden.run-4f1c'],
  ['s3://b/v1.2/status=a.b/products-0001.parquet', 's3://b/v1.2/status=a.b/products-0001.run-4f1c.parquet'],
])('object %s has the name %s in a run', (path, expected) => {
  expect(toRunPath(path, '4f1c')).toBe(expected)
  expect(isRunPathOf(expected, path)).toBe(true)
  expect(isRunPathOf(path, path)).toBe(false)
})

test('isRunPathOf recognizes the paths of an output in any run, and no other', () => {
  const path = 's3://b/out/products.parquet'
  expect(isRunPathOf('s3://b/out/status=active/products.run-1.parquet', path)).toBe(true)
  for (const other of ['out/photos.run-1.parquet', 'out/products.run-1.csv', 'products.run-1.parquet'])
    expect(isRunPathOf(`s3://b/${other}`, path)).toBe(false)
})
