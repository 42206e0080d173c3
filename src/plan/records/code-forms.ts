import { endpoints } from '../../service/endpoints/endpoints.ts'
import { type FilterValue, paddedCode } from '../../service/endpoints/filter-values.ts'
import { repairIdentifier } from '../../service/endpoints/repair-identifier.ts'
import type { ScalarField } from '../../contracts/fields.ts'
import { toComparableCode } from '../../records/conditions/condition-test.ts'

/** What a code of digits has to look like in a condition on it: as in `sourceIds`. Undefined for what is no such code. */
export function findCodeForm(from: string, { code, length }: ScalarField): FilterValue | undefined {
  if (!code) return undefined
  const { filters } = endpoints['v4/products/stream']
  const name = from.replace(/\[\]$/, '')
  const item = Object.entries(filters).find(([key]) => key === name)?.[1].item
  if (item?.isPrinted) return item
  return length === undefined ? undefined : paddedCode('a code', length)
}

/** The texts that records may have for a code, which come with and without leading zeros; undefined for what is no code. */
export function listCodeForms(
  written: string | number,
  form: FilterValue,
  { length }: Pick<ScalarField, 'length'>,
): string[] | undefined {
  const code = repairIdentifier(String(written), form)
  if (code === undefined) return undefined
  if (length !== undefined) return [String(code)]
  const bare = toComparableCode(code)
  return [...new Set([String(code), bare, ...barCodeLengths.map((digits) => bare.padStart(digits, '0'))])]
}

const barCodeLengths = [8, 12, 13, 14]
