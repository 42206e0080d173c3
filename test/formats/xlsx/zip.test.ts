import { expect, test } from 'vitest'
import { formatDirectory, formatLocalHeader } from '../../../src/formats/xlsx/zip.ts'

test('sizes and places of a zip that take more than 32 bits are in the fields of zip64', () => {
  const large = { path: 'a', crc: 1, bytes: 2 ** 33 + 5, compressedBytes: 100 }
  const local = formatLocalHeader(large)
  expect([local.readUInt16LE(4), local.readUInt32LE(18), local.readUInt32LE(22)]).toEqual([45, 0xffffffff, 0xffffffff])
  expect([local.readBigUInt64LE(35), local.readBigUInt64LE(43)]).toEqual([2n ** 33n + 5n, 100n])
  const small = { path: 'b', crc: 2, bytes: 5, compressedBytes: 4 }
  const directory = formatDirectory([large, small], [0, 2 ** 32 + 7], 2 ** 32 + 50)
  expect([directory.readUInt32LE(20), directory.readUInt32LE(24)]).toEqual([100, 0xffffffff])
  expect(directory.readBigUInt64LE(46 + 1 + 4)).toBe(2n ** 33n + 5n)
  const second = 46 + 1 + 12
  expect([directory.readUInt32LE(second + 42), directory.readBigUInt64LE(second + 46 + 1 + 4)]).toEqual([
    0xffffffff,
    2n ** 32n + 7n,
  ])
  const end = directory.length - 22
  expect([directory.readUInt32LE(end), directory.readUInt32LE(end + 16)]).toEqual([0x06054b50, 0xffffffff])
  expect(directory.readBigUInt64LE(end - 20 - 8)).toBe(2n ** 32n + 50n)
})
