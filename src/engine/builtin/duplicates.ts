import type { BuiltinPlan } from '../../records/flatten/table-plan.ts'
import { type Computation, type FeedRow, linesPerBlock } from './computation.ts'
import { addHolder, type Holders } from './holders.ts'
import { joinLines, KeyedLines } from './keyed-lines.ts'
import { compileProductCodes, type ListCodes } from './product-codes.ts'

const reasons = ['code', 'name', 'picture'] as const

/** The rows of `builtin: duplicates`: a row for each product of each group of likely duplicates. */
export class DuplicatesComputation implements Computation {
  readonly #listCodes: ListCodes
  readonly #lines = new KeyedLines()

  constructor(plan: BuiltinPlan) {
    this.#listCodes = compileProductCodes(plan)
  }

  add(row: FeedRow): void {
    const id = String(row['id'])
    const status = (row['status'] ?? null) as string | null
    const keys = listKeys(row, this.#listCodes)
    this.#lines.add(keys.map((key) => ({ text: JSON.stringify([key, id, status]), key })))
  }

  *compute(): Generator<Buffer> {
    const found = new Map<string, Holders>()
    for (const text of this.#lines.listShared())
      addHolder(found, ...(JSON.parse(text) as [key: string, id: string, status: string | null]))
    let lines: string[] = []
    for (const row of listRows(toGroups(found))) {
      lines.push(JSON.stringify(row))
      if (lines.length < linesPerBlock) continue
      yield joinLines(lines)
      lines = []
    }
    if (lines.length > 0) yield joinLines(lines)
  }
}

function* listRows(groups: readonly Group[]) {
  const positions = new Map<string, number>()
  for (const [at, { reason, shared, holders }] of groups.entries()) {
    const group = { group_id: at + 1, reason, shared: shared.join(' | '), product_count: holders.size }
    for (const [id, status] of holders) {
      const position = (positions.get(id) ?? 0) + 1
      positions.set(id, position)
      yield { id, position, ...group, status }
    }
  }
}

/** What a product may share with others, each after its reason. */
function listKeys(row: FeedRow, listCodes: ListCodes): string[] {
  const codes = listCodes(row).flatMap(({ key }) => (key === null ? [] : [`code ${key}`]))
  const pictures = ['photos', 'frontals'].flatMap((list) => listItems(row[list]).map((id) => `picture ${list} ${id}`))
  return [...codes, ...listNames(row), ...pictures]
}

interface Group {
  readonly reason: string
  readonly shared: string[]
  readonly holders: Holders
}

/** The groups of several products, by reason and what they share. The same products for the same reason are one group. */
function toGroups(found: ReadonlyMap<string, Holders>): Group[] {
  const groups = new Map<string, Group>()
  for (const [key, holders] of [...found].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (holders.size < 2) continue
    const [reason = ''] = key.split(' ', 1)
    const members = JSON.stringify([reason, ...holders.keys()])
    const group = groups.get(members) ?? { reason, shared: [], holders }
    group.shared.push(key.slice(reason.length + 1))
    groups.set(members, group)
  }
  const rank = ({ reason }: Group) => reasons.findIndex((each) => each === reason)
  return [...groups.values()].toSorted((one, other) => rank(one) - rank(other))
}

/** The name in each language with brands and content; none without a brand. */
function listNames(row: FeedRow): string[] {
  const brands = listItems(row['brands']).toSorted()
  if (brands.length === 0) return []
  const content = [0, 1, 2].map((at) => toPlain(row[`content_${at}`])).filter((text) => text !== '')
  const names = Object.entries((row['name'] ?? {}) as Readonly<Record<string, unknown>>)
  return names.flatMap(([locale, name]) => {
    const text = toPlain(name)
    const parts = [
      `${locale}: ${text}`,
      ...(content.length > 0 ? [content.join(' ')] : []),
      `brand ${brands.join(' ')}`,
    ]
    return text === '' ? [] : [`name ${parts.join(', ')}`]
  })
}

/** Text without differences of case and white space. */
function toPlain(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

function listItems(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown) => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []))
}
