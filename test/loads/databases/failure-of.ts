import { expect } from 'vitest'
import { toCatalogueError, type CatalogueError } from '../../../src/errors.ts'

/** The error that something fails with. */
export function failureOf(act: Promise<unknown>): Promise<CatalogueError> {
  return act.then(
    () => expect.fail('expected a failure'),
    (thrown: unknown) => toCatalogueError(thrown),
  )
}
