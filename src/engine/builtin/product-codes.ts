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
    return name.startsWith('code_') ? [{ name, scheme }] : []
  })
  return (row) => {
    const codes: ProductCode[] = []
    for (const { name, scheme } of fields) {
      for (const delivered of listTexts(row[name])) {
        const code = canonical(scheme, delivered)
        codes.push({ scheme, delivered, canonical: code, key: code === null ? null : keyOf(scheme, code) })
      }
    }
    return codes
  }
}

export function keyOf(scheme: string, code: string): string {
  return `${spaceOf(scheme)} ${code}`
}

/** Single values, lists, and lists that a column of text has joined. */
function listTexts(value: unknown): readonly string[] {
  if (value === null || value === undefined) return noTexts
  if (Array.isArray(value)) return value.flatMap(listTexts)
  return splitCodes(String(value as string | number)).filter((text) => text.trim() !== '')
}

const noTexts: readonly string[] = []
