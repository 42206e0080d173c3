import { canonical, schemeOf, spaceOf } from '../../codes/schemes.ts'
import { splitCodes } from '../../contracts/joined-codes.ts'
import type { BuiltinPlan } from '../../records/flatten/table-plan.ts'
import type { FeedRow } from './computation.ts'

/** A code of a product. */
export interface ProductCode {
  readonly scheme: string
  readonly delivered: string
  /** Null for what is no code of the scheme. */
  readonly canonical: string | null
  /** What it is compared by: the same for the same code of any field of its kind; null as `canonical`. */
  readonly key: string | null
}

export type ListCodes = (row: FeedRow) => ProductCode[]

/** Reads the codes of a product from the columns `code_…` of a feed, in the order of the contract. */
export function compileProductCodes({ feed }: BuiltinPlan): ListCodes {
  const fields = feed.flatMap(({ name, from }) => {
    const scheme = schemeOf(from) ?? from.replaceAll('[]', '')
    return name.startsWith('code_') ? [{ name, scheme, space: spaceOf(scheme) }] : []
  })
  return (row) =>
    fields.flatMap(({ name, scheme, space }) =>
      listTexts(row[name]).map((delivered) => {
        const code = canonical(scheme, delivered)
        return { scheme, delivered, canonical: code, key: code === null ? null : `${space} ${code}` }
      }),
    )
}

/** Single values, lists, and lists that a column of text has joined. */
function listTexts(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(listTexts)
  return splitCodes(String(value as string | number)).filter((text) => text.trim() !== '')
}
