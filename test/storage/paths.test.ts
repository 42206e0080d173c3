import { expect, test } from 'vitest'
import { checkFileName } from '../../src/storage/paths.ts'

test.each([
  ['out/con/a.csv', 'con'],
  ['out/NUL.csv', 'NUL.csv'],
  ['D:\\out\\com1.parquet', 'com1.parquet'],
  ['out/a:b.csv', 'a:b.csv'],
  ['out/{"a"}.csv', '{"a"}.csv'],
  ['out/why?/a.csv', 'why?'],
  ['out/a<b>/c.csv', 'a<b>'],
  ['out/a|b.csv', 'a|b.csv'],
  ['out/dot./a.csv', 'dot.'],
  ['out/space /a.csv', 'space '],
])('an output at %s is refused on Windows, for the name %j, and nowhere else', (path, name) => {
  expect(() => checkFileName(path, 'win32')).toThrow(
    `${path}: expected names of files and folders as Windows takes them, got "${name}"`,
  )
  expect(() => checkFileName(path, 'linux')).not.toThrow()
})

test.each([
  'C:\\Users\\a b\\out\\products.csv',
  'C:/out/products.csv.gz',
  '\\\\server\\share\\out\\products.csv',
  '../.hidden/./_manifest.json',
  'out/console/com10.csv',
  'out/status=a%3Cb/products.parquet',
])('an output at %s is fine on Windows', (path) => {
  expect(() => checkFileName(path, 'win32')).not.toThrow()
})
