import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, test } from 'vitest'
import { CatalogueError } from '../../src/errors.ts'
import { outputOperation } from '../../src/storage/output-operation.ts'
import { RunFolder, toStream } from '../engine/run-folder.ts'

test.each([
  ...['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'EISDIR', 'ENOTDIR', 'ELOOP', 'EFBIG'].map(
    (code) => [code, 2] as const,
  ),
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'EBUSY', 'ENOENT', 'ESTALE', 'ETIMEDOUT'].map((code) => [code, 5] as const),
])('error %s of an output ends the run with exit code %i', async (code, exitCode) => {
  const refused = Object.assign(new Error(code), { code, syscall: 'open' })
  const failure: unknown = await outputOperation('/nowhere/a.csv', 'written', () => Promise.reject(refused)).catch(
    (thrown: unknown) => thrown,
  )
  expect(failure).toBeInstanceOf(CatalogueError)
  expect(failure).toMatchObject({ code: exitCode === 2 ? 'OUTPUT_REFUSED' : 'OUTPUT_FAILED', exitCode })
})

test('a folder that a merge can not make for want of room ends the run with exit code 5', async () => {
  const folder = await RunFolder.create()
  const { mkdir } = fs
  fs.mkdir = (async (path: string, options?: object) => {
    if (path.startsWith(folder.path) && path.includes('.merge.'))
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'mkdir', errno: -28 })
    return mkdir(path, options)
  }) as typeof mkdir
  syncBuiltinESMExports()
  try {
    await folder.write('input.ndjson', toStream(['A']))
    const error = await folder.fail({ outputs: [{ format: 'csv', path: 'out/{table}.csv', mode: 'merge' }] })
    expect([error?.code, error?.exitCode]).toEqual(['OUTPUT_FAILED', 5])
    expect(error?.message).toMatch(/\.merge\..*: could not be created: no space left on device \(ENOSPC\)$/)
  } finally {
    fs.mkdir = mkdir
    syncBuiltinESMExports()
    await folder.remove()
  }
})
