import type { Field } from '../../contracts/fields.ts'
import { createDriftCounter, type Drift } from '../drift.ts'
import { compileFastObject, type FastCheckOptions } from './fast-value.ts'
import { FastWalk, undecided } from './fast-walk.ts'

/**
 * The canonical form of a record that is surely valid, null for what zod has to judge. The form is zod's, made out of the
 * delivered record itself, which is changed for it; where the answer is null it is not. JSON.parse or `parseExactly` must
 * have made the record, and nobody else may use it.
 */
export type FastCheck = (delivered: object, drift: Drift) => Readonly<Record<string, unknown>> | null

/** Checks compiled from the field tree of a contract. Drift is counted as in zod's records. */
export function compileFastCheck(fields: ReadonlyMap<string, Field>, options: FastCheckOptions): FastCheck {
  const checkRecord = compileFastObject(fields, '', options)
  const walk = new FastWalk()
  return (delivered, drift) => {
    walk.begin()
    const record = checkRecord(delivered, walk)
    if (record === undecided) return null
    walk.finish(createDriftCounter(drift))
    return record as Readonly<Record<string, unknown>>
  }
}
