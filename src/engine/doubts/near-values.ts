import { resolveContract } from '../../contracts/extended/extend-contract.ts'
import { closest } from '../../text/choices.ts'
import type { Condition, ConditionTest } from '../../records/conditions/condition.ts'
import { compileConditions } from '../../records/conditions/match-conditions.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { emptyDrift } from '../../records/drift.ts'
import { compilePath } from '../../records/flatten/read-path.ts'
import type { Step } from '../../records/flatten/table-plan.ts'
import { isObject } from '../../records/json/json-values.ts'
import { parseLine } from '../../records/parse-line.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { linesOf } from '../../records/raw-line.ts'
import { validateExactly } from '../../records/validate/validate-exactly.ts'
import { compileValidation } from '../../records/validate/validate-record.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import { readBlocks } from '../reading/read-blocks.ts'
import type { Unmet } from './unmet-conditions.ts'
import type { Doubt } from '../../manifest/manifest.ts'

/** Adds values near those that conditions ask for, from the beginning of the sources. */
export async function withNearValues(
  unmet: readonly Unmet[],
  sources: readonly Source[],
  records: RecordPlan,
  context: RequiredContext<'signal'>,
): Promise<Doubt[]> {
  const looks = unmet.map((each) => new Look(each))
  for await (const record of readBeginning(sources, records, context)) for (const look of looks) look.add(record)
  return looks.flatMap((look) => look.explain())
}

/** About 4,000 products, which are read in less than a second. */
const mostBytes = 32 * 2 ** 20

async function* readBeginning(
  sources: readonly Source[],
  { maxLineBytes, ...plan }: RecordPlan,
  { signal }: RequiredContext<'signal'>,
): AsyncGenerator<object> {
  const contract = resolveContract(plan)
  const validate = validateExactly(contract, compileValidation(contract, plan.drift, plan.locales), plan.drift)
  const drift = emptyDrift()
  let bytes = 0
  for await (const { block } of readBlocks(sources, { mostLines: mostLinesOf(plan), limit: null, signal })) {
    if (block === null) continue
    for (const line of linesOf(block)) {
      const parsed = parseLine(line, { maxLineBytes, exactNumbers: true })
      const { record } = parsed.kind === 'record' ? validate(parsed, drift) : { record: null }
      if (record !== null) yield record
    }
    bytes += block.bytes.length
    block.release?.()
    if (bytes >= mostBytes) return
  }
}

type Value = string | number | bigint | boolean

interface SeenValues {
  readonly test: ConditionTest
  readonly shown: string
  readonly isMet: (item: unknown) => boolean
  readonly read: (item: unknown) => readonly unknown[]
  readonly counts: Map<Value, number>
  met: number
}

class Look {
  readonly #doubt: Doubt
  readonly #readItems: (record: unknown) => readonly unknown[]
  readonly #isOnElements: boolean
  readonly #seen: readonly SeenValues[]
  #items = 0

  constructor({ doubt, each, conditions }: Unmet) {
    this.#doubt = doubt
    this.#isOnElements = each.length > 0
    const read = compilePath(each)
    this.#readItems = (record) => toList(read(record)).filter(isObject)
    this.#seen = conditions.flatMap((condition) => listOnValues(condition)).map(toSeen)
  }

  add(record: unknown): void {
    for (const item of this.#readItems(record)) {
      this.#items++
      for (const each of this.#seen) addValues(each, item)
    }
  }

  /** Returns no doubt for a column whose lists are all empty, as its conditions excluded nothing. */
  explain(): Doubt[] {
    const doubt = this.#doubt
    if (doubt.severity === 'note' && this.#isOnElements && this.#items === 0) return []
    const unmet = this.#seen.filter(({ met }) => met === 0)
    const near = [...new Set(unmet.flatMap(listNear))].slice(0, mostShown)
    if (near.length > 0) return [{ ...doubt, severity: doubt.severity === 'wrong' ? 'wrong' : 'look', near }]
    return [{ ...doubt, values: unmet.flatMap(listFrequent) }]
  }
}

const mostShown = 3
const mostValues = 20_000

/**
 * Lists conditions on values, including those in `some` and `any`. Conditions in `none` are left out, as they exclude
 * the values they match.
 */
function listOnValues(condition: Condition, list: readonly Step[] = []): Condition[] {
  const { test } = condition
  const steps = [...list, ...condition.steps]
  switch (test.kind) {
    case 'some':
      return test.where.flatMap((each) => listOnValues(each, steps))
    case 'any':
      return test.of.flat().flatMap((each) => listOnValues(each, steps))
    case 'none':
      return []
    default:
      return [{ ...condition, steps }]
  }
}

function toSeen(condition: Condition): SeenValues {
  const { steps, otherSteps = [], test, shown } = condition
  const reads = [steps, ...otherSteps].map(compilePath)
  const findFailing = compileConditions([condition])
  const noCodes = new Set<string>()
  return {
    test,
    shown,
    isMet: (item) => findFailing(item, noCodes) < 0,
    read: (item) => reads.flatMap((read) => toList(read(item))),
    counts: new Map(),
    met: 0,
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function addValues(seen: SeenValues, item: unknown): void {
  if (seen.isMet(item)) seen.met++
  for (const value of seen.read(item)) {
    if (value === null || value === undefined || typeof value === 'object') continue
    const times = seen.counts.get(value as Value)
    if (times !== undefined || seen.counts.size < mostValues) seen.counts.set(value as Value, (times ?? 0) + 1)
  }
}

function listNear({ test, shown, counts }: SeenValues): string[] {
  switch (test.kind) {
    case 'in':
      return test.values.flatMap((value) => (value === null ? [] : listNearOne(value, counts)))
    case 'range':
      return isTime(shown) ? [] : listNearRange(test, counts)
    default:
      return []
  }
}

/**
 * Finds values in another case, without punctuation, or misspelt. For numbers, finds 100 times as much or as little:
 * cents mistaken for units, or the reverse.
 */
function listNearOne(wanted: string | number | boolean, counts: ReadonlyMap<Value, number>): string[] {
  if (typeof wanted === 'number') return [wanted * 100, wanted / 100].filter((value) => counts.has(value)).map(String)
  if (typeof wanted !== 'string') return []
  const texts = [...counts.keys()].map(String)
  const bare = toBare(wanted)
  const same = texts.filter((text) => toBare(text) === bare)
  // Codes with similar digits are different codes.
  return same.length > 0 || /^\d*$/.test(bare) ? same : [closest(wanted, texts) ?? []].flat()
}

/** Makes `Crème-Brûlée 2` and `creme brulee 2` equal. */
function toBare(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

function listNearRange(
  { from, until }: Extract<ConditionTest, { kind: 'range' }>,
  counts: ReadonlyMap<Value, number>,
): string[] {
  const isIn = (factor: number) =>
    [...counts.keys()].some(
      (value) => Number(value) >= (from ?? -Infinity) * factor && Number(value) <= (until ?? Infinity) * factor,
    )
  return [100, 0.01].filter(isIn).map((factor) => formatRange(from, until, (bound) => String(bound * factor)))
}

function formatRange(from: number | null, until: number | null, format: (bound: number) => string): string {
  const parts = [
    ...(from === null ? [] : [`from: ${format(from)}`]),
    ...(until === null ? [] : [`until: ${format(until)}`]),
  ]
  return `{${parts.join(', ')}}`
}

/** The least and greatest number or time, or the most frequent values. */
function listFrequent({ test, shown, counts }: SeenValues): string[] {
  if (test.kind === 'range') {
    const numbers = [...counts.keys()].map(Number).toSorted((a, b) => a - b)
    const format = (value: number) =>
      isTime(shown) ? new Date(value * 1000).toISOString().slice(0, 10) : String(value)
    const [least = null, greatest = null] = [numbers.at(0), numbers.at(-1)]
    return least === null ? [] : [formatRange(least, greatest, format)]
  }
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostShown)
  return frequent.map(([value]) => String(value))
}

/** Whether a range is written in dates, so that its values are Unix seconds. */
function isTime(shown: string): boolean {
  return /\d{4}-\d{2}-\d{2}/.test(shown)
}
