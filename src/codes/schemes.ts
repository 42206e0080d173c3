import { hasGs1Digit, hasPznDigit } from './check-digit.ts'
import { toComparableCode, unwrapCode, withoutSeparators } from './code-text.ts'

/** What a code is: which numbers it has, how they are written, and how its check digit is found. */
interface SchemeRules {
  /** Fields of records that hold it, under whichever object they are. */
  readonly fields: readonly string[]
  /** Digits of the canonical form. A code that is shorter without leading zeros has that of the first that fits. */
  readonly lengths: readonly number[]
  /** Digits that are left if all leading zeros are lost. Anything shorter, such as `1`, is no code. */
  readonly shortest: number
  /** Codes of one space are the same code if their canonical form is the same, whichever field they are from. */
  readonly space: string
  /** Digits of codes with a check digit, and its test. Absent if no way to compute it is published. */
  readonly checked?: { readonly length: number; readonly isRight: (canonical: string) => boolean }
}

function gtin(...fields: string[]): SchemeRules {
  return { fields, lengths: [14], shortest: 6, space: 'gtin', checked: { length: 14, isRight: hasGs1Digit } }
}

const gs1Of13 = { length: 13, isRight: hasGs1Digit }

/**
 * Every scheme whose numbers are known. CNK and CIP7 have a check digit too, but their holders (APB, CIP) have published
 * no way to compute it that could be cited: it is not judged.
 */
const schemes = {
  cnk: { fields: ['cnk'], lengths: [7], shortest: 4, space: 'cnk' },
  ean: gtin('ean'),
  gtin: gtin('gtin'),
  gtin8: gtin('eanGtin8'),
  gtin12: gtin('eanGtin12'),
  gtin13: gtin('eanGtin13'),
  gtin14: gtin('eanGtin14'),
  // One series of numbers has medicines (CIP) and other products of pharmacies (ACL).
  cip7: { fields: ['cip7', 'cipOrAcl7', 'acl7'], lengths: [7], shortest: 6, space: 'cip7' },
  cip13: { fields: ['cip13'], lengths: [13], shortest: 13, space: 'cip13', checked: gs1Of13 },
  acl: { fields: ['acl', 'acl13'], lengths: [7, 13], shortest: 6, space: 'acl', checked: gs1Of13 },
  pzn: { fields: ['pzn'], lengths: [8], shortest: 5, space: 'pzn', checked: { length: 8, isRight: hasPznDigit } },
} satisfies Record<string, SchemeRules>

export type KnownScheme = keyof typeof schemes

export type CheckDigit = 'right' | 'wrong' | 'none'

export const knownSchemes = Object.keys(schemes) as KnownScheme[]

/** The scheme of a field, by the last name of its path; null for one that is not known. */
export function schemeOf(path: string): KnownScheme | null {
  const name = path.split('.').at(-1)?.replace(/\[\]$/, '') ?? ''
  return knownSchemes.find((scheme) => rulesOf(scheme)?.fields.includes(name)) ?? null
}

/** Codes of schemes of one space are compared with each other: every GTIN, whichever field it is from. */
export function spaceOf(scheme: string): string {
  return rulesOf(scheme)?.space ?? scheme
}

/**
 * The one form of a code: digits with all their leading zeros (7 of a CNK, 14 of every GTIN, 8 of a PZN), without the
 * spaces, hyphens and `.0` of lists and spreadsheets. Null for what is no code of the scheme: other text, too many
 * digits, too few to have lost only zeros. A scheme that is not known takes any text but `null`.
 */
export function canonical(scheme: string, delivered: unknown): string | null {
  const written = toText(delivered)
  // Nearly all codes are digits alone.
  const text = /^\d+$/.test(written) ? written : withoutSeparators(unwrapCode(written))
  const rules = rulesOf(scheme)
  if (rules === undefined) return text === '' || text.toLowerCase() === 'null' ? null : text
  if (!/^\d+$/.test(text)) return null
  const digits = toComparableCode(text)
  if (digits === '0' || digits.length < rules.shortest) return null
  const length = rules.lengths.find((each) => each >= digits.length)
  return length === undefined ? null : digits.padStart(length, '0')
}

/** Whether the check digit of a canonical code is right; `none` if there is no published way to say. */
export function checkDigit(scheme: string, code: string): CheckDigit {
  const { checked } = rulesOf(scheme) ?? {}
  if (checked === undefined || checked.length !== code.length) return 'none'
  return checked.isRight(code) ? 'right' : 'wrong'
}

/** The digits of the canonical forms of a scheme, and the fewest that a code has if its leading zeros are lost. */
export function formOf(scheme: KnownScheme): Pick<SchemeRules, 'lengths' | 'shortest'> {
  return schemes[scheme]
}

function rulesOf(scheme: string): SchemeRules | undefined {
  return Object.hasOwn(schemes, scheme) ? schemes[scheme as KnownScheme] : undefined
}

function toText(delivered: unknown): string {
  const isText = typeof delivered === 'string' || typeof delivered === 'bigint' || Number.isSafeInteger(delivered)
  return isText ? String(delivered) : ''
}
