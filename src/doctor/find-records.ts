import { isObject, toCount } from '../records/json/json-values.ts'
import type { AnswerBody } from './read-answer.ts'

export type AnswerForm =
  | { readonly kind: 'nothing' }
  /** A bare list, or a list in a member of an object. The member's name is hidden unless it is a plain word. */
  | { readonly kind: 'list'; readonly member: string | null }
  | { readonly kind: 'lines'; readonly hasEnvelopes: boolean; readonly isWhole: boolean }
  | { readonly kind: 'record'; readonly member: string | null }
  | { readonly kind: 'error' }
  | { readonly kind: 'other'; readonly reason: string }

export interface FoundRecords {
  readonly form: AnswerForm
  readonly records: readonly unknown[]
  /** Numbers in `meta`; null if missing. */
  readonly total: number | null
  readonly page: { readonly no: number | null; readonly offset: number | null; readonly size: number | null } | null
  /** Positions of lines in the result; null for a line without one. */
  readonly indexes: readonly (number | null)[]
}

/** Finds the records in the body of a list, page or stream, or the only record if `isFind`. */
export function findRecords(body: AnswerBody, isFind: boolean): FoundRecords {
  switch (body.kind) {
    case 'empty':
      return nothing({ kind: 'nothing' })
    case 'unreadable':
      return nothing({ kind: 'other', reason: body.reason })
    case 'lines':
      return findInLines(body.lines, body.isWhole)
    case 'document':
      return isFind ? findOne(body.value) : findInDocument(body.value)
  }
}

function nothing(form: AnswerForm): FoundRecords {
  return { form, records: [], total: null, page: null, indexes: [] }
}

function findInLines(lines: readonly unknown[], isWhole: boolean): FoundRecords {
  if (lines.some((line) => isObject(line) && Object.hasOwn(line, 'error'))) return nothing({ kind: 'error' })
  const [first] = lines
  if (
    lines.length === 1 &&
    (Array.isArray(first) || (isObject(first) && listLists(first).length === 1 && !isEnvelope(first)))
  )
    return { ...findInDocument(first) }
  const hasEnvelopes = lines.every(isEnvelope)
  const envelopes = lines.filter(isEnvelope)
  const metas = envelopes.map(({ meta }) => (isObject(meta) ? meta : {}))
  return {
    form: { kind: 'lines', hasEnvelopes, isWhole },
    records: hasEnvelopes ? envelopes.map(({ result }) => result) : lines,
    total: toCount(metas[0]?.['total']),
    page: null,
    indexes: metas.map(({ index }) => toCount(index)),
  }
}

function isEnvelope(line: unknown): line is { readonly meta?: unknown; readonly result: unknown } {
  return isObject(line) && Object.hasOwn(line, 'result')
}

function findInDocument(value: unknown): FoundRecords {
  if (Array.isArray(value)) return { ...nothing({ kind: 'list', member: null }), records: value }
  if (!isObject(value)) return nothing({ kind: 'other', reason: 'neither an object nor a list' })
  const lists = listLists(value)
  const list = lists.find(([key]) => key === 'results') ?? lists[0]
  if (list === undefined && Object.hasOwn(value, 'error')) return nothing({ kind: 'error' })
  if (list === undefined) return nothing({ kind: 'other', reason: 'an object without a list' })
  if (lists.length > 1 && list[0] !== 'results')
    return nothing({ kind: 'other', reason: 'an object with several lists' })
  const meta = isObject(value['meta']) ? value['meta'] : {}
  const page = isObject(meta['page']) ? meta['page'] : null
  return {
    form: { kind: 'list', member: toPlainWord(list[0]) },
    records: list[1],
    total: toCount(meta['total']),
    page: page && { no: toCount(page['no']), offset: toCount(page['offset']), size: toCount(page['size']) },
    indexes: [],
  }
}

function listLists(value: Record<string, unknown>): [string, unknown[]][] {
  return Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
}

function findOne(value: unknown): FoundRecords {
  if (!isObject(value)) return nothing({ kind: 'other', reason: 'no object' })
  if (Object.hasOwn(value, 'error') && !Object.hasOwn(value, 'id')) return nothing({ kind: 'error' })
  if (Object.hasOwn(value, 'id')) return { ...nothing({ kind: 'record', member: null }), records: [value] }
  const objects = Object.entries(value).filter(([key, member]) => key !== 'meta' && isObject(member))
  const [only] = objects
  if (only === undefined || objects.length > 1) return nothing({ kind: 'other', reason: 'no object with one record' })
  return { ...nothing({ kind: 'record', member: toPlainWord(only[0]) }), records: [only[1]] }
}

/** Returns a name that may be printed. The service's names are in camel case; other names may be data. */
export function toPlainWord(name: string): string {
  return plainWord.test(name) && name.replaceAll(/\D/g, '').length <= mostDigits ? name : notShownName
}

export const notShownName = '(a name that is not shown)'
const plainWord = /^[a-z][A-Za-z0-9_]{0,39}$/
const mostDigits = 4
