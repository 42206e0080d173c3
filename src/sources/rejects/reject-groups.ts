import { RejectReasons } from '../../records/reject-reasons.ts'
import { type Issue, type RejectsFileLine, toPlace } from '../../records/reject.ts'
import { locateIssue } from './locate-issue.ts'
import { toRawLineText } from './read-rejects.ts'
import type { RejectReason } from '../../manifest/manifest.ts'

export interface RejectGroup extends RejectReason {
  readonly examples: readonly RejectExample[]
}

export interface RejectExample {
  readonly source: string
  readonly line: number
  readonly byteOffset: number | null
  readonly id: string | null
  /** Includes positions in lists. */
  readonly path: string
  readonly message: string
  readonly excerpt: Excerpt
}

/** The part of a raw line that is wrong, and text around it; each may be cut. */
export interface Excerpt {
  readonly before: string
  readonly value: string
  readonly after: string
  readonly isCut: { readonly before: boolean; readonly value: boolean; readonly after: boolean }
}

export interface RejectFilter {
  readonly code?: string | undefined
  /** Positions in lists are ignored. */
  readonly path?: string | undefined
}

export function chooseIssues({ issues }: RejectsFileLine, { code, path }: RejectFilter): readonly Issue[] {
  const place = path === undefined ? undefined : toPlace(path)
  return issues.filter(
    (issue) => (code === undefined || issue.code === code) && (place === undefined || toPlace(issue.path) === place),
  )
}

/** Groups rejects by code and path, with the first examples of each. Its memory is bounded. */
export class RejectGroups {
  readonly #filter: RejectFilter
  readonly #reasons = new RejectReasons()
  readonly #examples = new Map<string, RejectExample[]>()
  #count = 0

  constructor(filter: RejectFilter) {
    this.#filter = filter
  }

  get count(): number {
    return this.#count
  }

  add(reject: RejectsFileLine): void {
    const issues = chooseIssues(reject, this.#filter)
    if (issues.length === 0) return
    this.#count++
    this.#reasons.add({ issues })
    const seen = new Set<string>()
    for (const issue of issues) {
      const key = toKey(issue)
      if (!seen.has(key)) this.#addExample(key, reject, issue)
      seen.add(key)
    }
  }

  /** By frequency, highest first. */
  list(): RejectGroup[] {
    return this.#reasons.list().map((reason) => ({ ...reason, examples: this.#examples.get(toKey(reason)) ?? [] }))
  }

  #addExample(key: string, reject: RejectsFileLine, issue: Issue): void {
    const known = this.#examples.get(key)
    if (known !== undefined && known.length >= mostExamples) return
    if (known === undefined && this.#examples.size >= mostGroups) return
    this.#examples.set(key, [...(known ?? []), toExample(reject, issue)])
  }
}

const mostExamples = 3
const mostGroups = 10_000

function toKey({ code, path }: Pick<Issue, 'code' | 'path'>): string {
  return `${code} ${toPlace(path)}`
}

function toExample(reject: RejectsFileLine, issue: Issue): RejectExample {
  const { source, line, byteOffset, id } = reject
  const { path, message } = issue
  return { source, line, byteOffset, id, path, message, excerpt: toExcerpt(toRawLineText(reject), issue) }
}

export function toExcerpt(raw: string, issue: Pick<Issue, 'code' | 'path'>): Excerpt {
  const { start, end } = locateIssue(raw, issue)
  const from = toBoundary(raw, Math.max(0, start - mostAround))
  const valueEnd = toBoundary(raw, Math.min(end, start + mostValue))
  const to = toBoundary(raw, Math.min(raw.length, valueEnd + mostAround))
  const isCut = { before: from > 0, value: valueEnd < end, after: to < raw.length }
  return {
    before: raw.slice(from, start),
    value: raw.slice(start, valueEnd),
    after: isCut.value ? '' : raw.slice(valueEnd, to),
    isCut,
  }
}

const mostAround = 240
const mostValue = 1000

/** Never between the two halves of a surrogate pair. */
function toBoundary(text: string, at: number): number {
  const isInside = at > 0 && at < text.length && isLow(text.charCodeAt(at)) && !isLow(text.charCodeAt(at - 1))
  return isInside ? at + 1 : at
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
