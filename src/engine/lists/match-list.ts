import { toComparableCode } from '../../codes/code-text.ts'
import { canonical, checkDigit, schemeOf } from '../../codes/schemes.ts'
import type { ListLine, MatchedList } from '../../plan/source/source-ids-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import { codeFates, type FoundRecord } from '../../records/conditions/code-fates.ts'
import { describeSuccession, isReplaced } from '../../records/replacements.ts'
import type { RunEnd } from '../outputs/outputs.ts'
import { FoundProducts } from './found-products.ts'

/** Why a line of a list has no product. `unread`: only a sample was read. */
export type MissingKind =
  | 'notFound'
  | 'wrongCheckDigit'
  | 'filtered'
  | 'inactive'
  | 'replaced'
  | 'ambiguous'
  | 'duplicate'
  | 'rejected'
  | 'bad'
  | 'empty'
  | 'unread'

export interface LineResult {
  readonly line: ListLine
  readonly kind: 'found' | MissingKind
  /** The product of a line that was found. */
  readonly id: string | null
  /** In words: by which key it was found, or why not. */
  readonly text: string
  /** The products that the reason is about. */
  readonly products: readonly string[]
}

type ReadEnd = Pick<RunEnd, 'counters' | 'limit'>

/**
 * Matches each line of a list. The first key whose code is on exactly one published product decides. A code that is on
 * several leaves them as candidates, and a later key of the line decides if its code is on exactly one of these; if none
 * does, the line is ambiguous.
 */
export function matchList(source: SourcePlan, list: MatchedList, end: ReadEnd): LineResult[] {
  const products = new FoundProducts(source.kind, end.counters)
  const asked = source.kind === 'service' && source.filter !== null && Object.keys(source.filter as object).length > 0
  const matcher = new LineMatcher(list, products, asked ? 'not found with source.filter' : 'not found')
  return list.lines.map((line) => matcher.match(line, end.limit !== null))
}

type Missing = Pick<LineResult, 'kind' | 'text' | 'products'>

class LineMatcher {
  readonly #fields: readonly string[]
  readonly #expected: readonly string[]
  readonly #products: FoundProducts
  readonly #notFound: string

  constructor({ keys }: MatchedList, products: FoundProducts, notFound: string) {
    this.#fields = keys.map(({ field }) => field)
    this.#expected = keys.map(({ expected }) => expected)
    this.#products = products
    this.#notFound = notFound
  }

  match(line: ListLine, isSample: boolean): LineResult {
    const found = this.#listFound(line)
    const published = found.map((records) => toIds(records.filter(({ fate }) => fate === codeFates.accepted)))
    const decided = this.#decide(published)
    if (decided !== null) return { line, kind: 'found', ...decided, products: [] }
    return { line, id: null, ...(this.#findAmbiguous(published) ?? this.#explain(line, found.flat(), isSample)) }
  }

  #listFound({ codes }: ListLine): (readonly FoundRecord[])[] {
    return codes.map(({ code }, key) =>
      code === null ? [] : this.#products.listOf(this.#fields[key] ?? '', toComparableCode(code)),
    )
  }

  #decide(published: readonly (readonly string[])[]): Pick<LineResult, 'id' | 'text'> | null {
    let candidates: readonly string[] | null = null
    for (const [key, ids] of published.entries()) {
      if (ids.length === 0) continue
      const left: readonly string[] = candidates === null ? ids : intersect(candidates, ids)
      const [id, ...others] = left
      if (id !== undefined && others.length === 0) return { id, text: this.#describeFound(key, id, published) }
      if (left.length > 0) candidates = left
    }
    return null
  }

  #describeFound(decidedBy: number, id: string, published: readonly (readonly string[])[]): string {
    const record = this.#products.find(id)
    const states = record !== undefined && isReplaced(record) ? [describeSuccession(this.#products.follow(id))] : []
    if (record?.status === 'inactive') states.push('inactive')
    const contrary = published.flatMap((ids, key) =>
      ids.length === 0 || ids.includes(id) ? [] : [`${this.#fields[key]} is that of ${ids.join(', ')}`],
    )
    return [`found by ${this.#fields[decidedBy]}`, ...states, ...contrary].join('; ')
  }

  #findAmbiguous(published: readonly (readonly string[])[]): Missing | null {
    const on = published.flatMap((ids, key) =>
      ids.length === 0
        ? []
        : [`${this.#fields[key]} is on ${ids.length === 1 ? ids.join() : `${ids.length} products`}`],
    )
    if (on.length === 0) return null
    const products = [...new Set(published.flat())].toSorted()
    return { kind: 'ambiguous', text: `ambiguous: ${on.join(', ')}`, products }
  }

  #explain(line: ListLine, records: readonly FoundRecord[], isSample: boolean): Missing {
    if (records.length === 0) return this.#explainNothing(line, isSample)
    const products = toIds(records)
    const replaced = products.flatMap((id) => {
      const succession = this.#products.follow(id)
      return succession.kind === 'none' ? [] : [{ id, text: describeSuccession(succession) }]
    })
    if (replaced.length > 0) {
      const texts = replaced.map(({ id, text }) => (replaced.length === 1 ? text : `${id} ${text}`))
      return { kind: 'replaced', text: texts.join('; '), products }
    }
    const best = Math.min(...records.map(({ fate }) => fate))
    const condition = this.#products.describeFate(best)
    const isInactive = condition?.from === 'status' && records.every(({ status }) => status === 'inactive')
    if (isInactive) return { kind: 'inactive', text: `inactive, ${condition.text}`, products }
    if (condition !== null) return { kind: 'filtered', text: condition.text, products }
    return best === codeFates.duplicate
      ? { kind: 'duplicate', text: 'left out: another line has the id of its record', products }
      : { kind: 'rejected', text: 'rejected', products }
  }

  #explainNothing({ codes }: ListLine, isSample: boolean): Missing {
    const none = { products: [] }
    if (codes.every(({ written }) => written === '')) return { kind: 'empty', text: 'no code in this line', ...none }
    const bad = codes.flatMap(({ written, code }, key) =>
      written !== '' && code === null ? [this.#expected[key]] : [],
    )
    if (codes.every(({ code }) => code === null))
      return { kind: 'bad', text: `bad identifier: expected ${bad.join(', or ')}`, ...none }
    if (isSample) return { kind: 'unread', text: 'not read: a sample', ...none }
    const wrong = codes.flatMap(({ code }, key) =>
      hasWrongDigit(this.#fields[key] ?? '', code) ? [this.#fields[key]] : [],
    )
    if (wrong.length > 0) return { kind: 'wrongCheckDigit', text: `wrong check digit: ${wrong.join(', ')}`, ...none }
    return { kind: 'notFound', text: this.#notFound, ...none }
  }
}

function hasWrongDigit(field: string, code: string | number | null): boolean {
  const scheme = schemeOf(field)
  const whole = scheme === null || code === null ? null : canonical(scheme, code)
  return scheme !== null && whole !== null && checkDigit(scheme, whole) === 'wrong'
}

function toIds(records: readonly FoundRecord[]): string[] {
  return [...new Set(records.flatMap(({ id }) => id ?? []))].toSorted()
}

function intersect(ids: readonly string[], others: readonly string[]): string[] {
  return ids.filter((id) => others.includes(id))
}
