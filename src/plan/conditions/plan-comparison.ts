import { endpoints } from '../../service/endpoints/endpoints.ts'
import { type FilterValue, paddedCode } from '../../service/endpoints/filter-values.ts'
import { repairIdentifier } from '../../service/endpoints/repair-identifier.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { Field, ScalarField } from '../../contracts/fields.ts'
import { closest } from '../../text/choices.ts'
import { showValue } from '../../text/show-value.ts'
import { padCode, toComparableCode } from '../../codes/code-text.ts'
import type { Comparison } from '../../records/conditions/condition.ts'
import { expectedOf, readConfigValue, type ConfigValue } from '../../records/conditions/config-value.ts'
import type { ValueType } from '../../types/column-type-definition.ts'
import type { TimeSpan } from '../../records/conditions/time-span.ts'

/** The left side of a comparison: a field in `where`, or a column in a rule of `expect`. */
export interface Compared {
  readonly by: 'where' | 'rule'
  readonly type: ValueType
  readonly shown: string
  /** Absent for a column that stores its values in another form. */
  readonly field?: ScalarField | undefined
  readonly from: string
  readonly problems: Problem[]
}

type WrittenValue = string | number | boolean

export function planValues(
  kind: 'in' | 'not',
  written: WrittenValue | null | readonly (WrittenValue | null)[],
  compared: Compared,
  path: Problem['path'],
): Comparison<number | bigint> | null {
  const read = [written].flat().flatMap((value, at): readonly (ConfigValue | null | undefined)[] => {
    return value === null ? [null] : readValues(value, compared, Array.isArray(written) ? [...path, at] : path)
  })
  const all = read.filter((value) => value !== undefined)
  if (all.length < read.length) return null
  const ranges = all.filter(isSpan)
  return {
    kind,
    values: all.filter((value) => typeof value !== 'object' || value === null),
    ...(ranges.length > 0 && { ranges }),
  }
}

/** The place in the config of a bound, or of the range if the key is null. */
export type ToBoundPath = (key: keyof Bounds | null) => Problem['path']

export interface Bounds {
  readonly from?: string | number | undefined
  readonly until?: string | number | undefined
}

export function planRange(
  { from, until }: Bounds,
  compared: Compared,
  toPath: ToBoundPath,
): Extract<Comparison<number | bigint>, { kind: 'range' }> | null {
  const { by, type, shown, problems } = compared
  const first = from !== undefined ? 'from' : until !== undefined ? 'until' : null
  if (type.kind === 'text' || type.kind === 'boolean') {
    problems.push(problemAt(toPath(first), `${by}: expected a number, date or time for a range, got ${shown}`))
    return null
  }
  if (first === null) {
    problems.push(problemAt(toPath(null), `${by}: expected from, until or both, got neither`))
    return null
  }
  const low = from === undefined ? null : readValue(from, compared, toPath('from'))
  const high = until === undefined ? null : readValue(until, compared, toPath('until'))
  if (low === undefined || high === undefined) return null
  const range = { from: toBound(low, 'from'), until: toBound(high, 'until') }
  if (range.from !== null && range.until !== null && range.from > range.until) {
    problems.push(problemAt(toPath('until'), `${by}: expected from before until, got from ${from} until ${until}`))
    return null
  }
  return { kind: 'range', ...range }
}

function toBound(value: ConfigValue | null, key: keyof TimeSpan): number | bigint | null {
  return (isSpan(value) ? value[key] : value) as number | bigint | null
}

function isSpan(value: ConfigValue | null | undefined): value is TimeSpan {
  return typeof value === 'object' && value !== null
}

/**
 * The forms in which records may hold a value of the config, as codes of digits have several. Undefined after a
 * problem.
 */
function readValues(
  value: WrittenValue,
  compared: Compared,
  path: Problem['path'],
): readonly (ConfigValue | undefined)[] {
  const { by, field, from, problems } = compared
  const form = field && findCodeForm(from, field)
  if (field === undefined || form === undefined || value === '' || typeof value === 'boolean')
    return [readValue(value, compared, path)]
  const codes = listCodeForms(value, form, field)
  if (codes !== undefined) return codes
  // A rule may compare values that are not codes.
  if (by === 'rule') return [readValue(value, compared, path)]
  problems.push(problemAt(path, `where: expected ${form.accepts}, got ${showValue(value)}`))
  return [undefined]
}

/** The form that codes of the field have to have, as in `sourceIds`; undefined for other fields. */
function findCodeForm(from: string, { code, length }: ScalarField): FilterValue | undefined {
  if (!code) return undefined
  const { filters } = endpoints['v4/products/stream']
  const name = from.replace(/\[\]$/, '')
  const item = Object.entries(filters).find(([key]) => key === name)?.[1].item
  if (item?.isPrinted) return item
  return length === undefined ? undefined : paddedCode('a code', length)
}

/** Forms of a code with and without leading zeros; undefined if the text is no code. */
function listCodeForms(
  written: string | number,
  form: FilterValue,
  { length }: Pick<ScalarField, 'length'>,
): string[] | undefined {
  const code = repairIdentifier(String(written), form)
  if (code === undefined) return undefined
  if (length !== undefined) return [String(code)]
  const bare = toComparableCode(code)
  return [...new Set([String(code), bare, ...barCodeLengths.map((digits) => padCode(bare, digits))])]
}

const barCodeLengths = [8, 12, 13, 14]

/**
 * Converts a value to the form in which it is compared; undefined after a problem. In `where` a value that the contract
 * does not list is a problem only if it is close to a listed one, since markets have values of their own. A rule may
 * look for misspelt values.
 */
function readValue(value: WrittenValue, compared: Compared, path: Problem['path']): ConfigValue | undefined {
  const { by, field, type, problems } = compared
  const refuse = (message: string, suggestion?: string): undefined => {
    problems.push(problemAt(path, `${by}: ${message}`, suggestion))
  }
  if (field?.code && field.length === undefined && typeof value === 'number')
    return refuse(`expected the code in quotes, as leading zeros are lost without, got ${showValue(value)}`)
  const read = readConfigValue(value, type)
  // No field of records needs integers beyond 2^53.
  if (read === undefined || (by === 'where' && typeof read === 'bigint'))
    return refuse(`expected ${expectedOf(type)}, got ${showValue(value)}`)
  const { values = [] } = field ?? {}
  const isKnown = by === 'rule' || typeof read === 'object' || values.includes(String(read))
  const suggestion = isKnown ? undefined : closest(String(read), values)
  return suggestion === undefined ? read : refuse(`unknown value ${showValue(value)}`, suggestion)
}

export function toScalar(field: Field): ScalarField | null {
  if (field.kind === 'scalar') return field.type === 'json' ? null : field
  return field.kind === 'list' && field.element.kind === 'scalar' ? toScalar(field.element) : null
}
