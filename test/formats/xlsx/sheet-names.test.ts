import { expect, test } from 'vitest'
import { nameSheets } from '../../../src/formats/xlsx/sheet-names.ts'

const name = (...tables: [string, number][]) => nameSheets(tables.map(([table, sheets]) => ({ name: table, sheets })))

test('sheets are named as their tables, further ones are numbered', () => {
  expect(name(['products', 3], ['photos', 1])).toEqual([['products', 'products (2)', 'products (3)'], ['photos']])
})

test('names of sheets are cut to 31 characters, with room for a number', () => {
  expect(name(['a'.repeat(40), 2])).toEqual([['a'.repeat(31), `${'a'.repeat(27)} (2)`]])
  expect(name([`${'a'.repeat(30)}😀`, 1])[0]?.[0]).toBe(`${'a'.repeat(30)}\uFFFD`)
})

test('names of sheets are unique without regard to case, the reserved one included', () => {
  expect(name(['Products', 1], ['products', 1], ['PRODUCTS', 1], ['History', 1])).toEqual([
    ['Products'],
    ['products~2'],
    ['PRODUCTS~3'],
    ['History~2'],
  ])
  expect(name([`${'a'.repeat(31)}b`, 1], [`${'a'.repeat(31)}c`, 1])).toEqual([
    ['a'.repeat(31)],
    [`${'a'.repeat(29)}~2`],
  ])
  expect(name(['a', 2], ['a (2)', 1])).toEqual([['a', 'a (2)~2'], ['a (2)']])
})

test('names of sheets have none of the characters that are forbidden', () => {
  expect(name(["'a[b]:c*d?e/f\\g'", 1], ['', 1])).toEqual([['_a_b__c_d_e_f_g_'], ['_']])
})
