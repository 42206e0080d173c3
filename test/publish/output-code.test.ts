import { expect, test } from 'vitest'
import { CatalogueError } from '../../src/errors.ts'
import { outputOperation } from '../../src/publish/output-operation.ts'

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
