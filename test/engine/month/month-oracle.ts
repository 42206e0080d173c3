import { contracts } from '../../../src/contracts/contracts.ts'
import { toExpectedTables, type ExpectedColumn, type PlainCell } from '../outputs/expected-tables.ts'
import type { ChangeCounts } from '../../../src/manifest/manifest.ts'

/*
 * The rows that a warehouse has to hold after every night, worked out from what the sandbox says of its own days alone, in plain
 * maps: a second account of changes, removals and versions that shares nothing with the tool but the field tree.
 */

/** A product as the sandbox has it on a day. */
export interface Product {
  readonly id: string
  readonly status: unknown
  /** Milliseconds. */
  readonly updatedAt: number | null
  /** The same text means the same content. */
  readonly content: string
  readonly record: Readonly<Record<string, unknown>>
}

/** The result of one night's run. */
export interface NightLoad {
  readonly kind: 'full' | 'delta'
  readonly startedAt: number
  readonly here: readonly Product[]
  /** Those that came but are not asked for: their status is another. */
  readonly left: ReadonlySet<string>
}

export type WarehouseMode = 'kept' | 'marked' | 'history'

/** A product's content, valid from one time until another; the first time counts, the last does not. */
interface Version {
  readonly from: number
  to: number | null
  product: Product
}

export function toProduct(record: Product['record']): Product {
  const { updatedAt = null } = (record['meta'] ?? {}) as { updatedAt?: number | null }
  return {
    id: record['id'] as string,
    status: record['status'],
    updatedAt: updatedAt === null ? null : updatedAt * 1000,
    content: JSON.stringify(toContent(record)),
    record,
  }
}

/** The records of a run that asks for everything, or for what was updated at `since` or later: milliseconds. */
export function toLoad(
  products: readonly Product[],
  { status, since, startedAt }: { readonly status: string; readonly since: number | null; readonly startedAt: number },
): NightLoad {
  const sent = since === null ? products : products.filter(({ updatedAt }) => updatedAt !== null && updatedAt >= since)
  const here = sent.filter((product) => product.status === status)
  const left = new Set(sent.filter((product) => product.status !== status).map(({ id }) => id))
  return { kind: since === null ? 'full' : 'delta', startedAt, here, left }
}

export class ExpectedWarehouse {
  /** By id; of a record that is there, the last one is open. */
  readonly #versions = new Map<string, Version[]>()

  load({ kind, startedAt, here, left }: NightLoad): ChangeCounts {
    const changes = { new: 0, changed: 0, touched: 0, unchanged: 0, removed: 0 }
    for (const product of here) changes[this.#take(product, startedAt)]++
    const ids = new Set(here.map(({ id }) => id))
    for (const [id, versions] of this.#versions) {
      const last = versions.at(-1) as Version
      const isGone = kind === 'full' ? !ids.has(id) : left.has(id)
      if (last.to !== null || !isGone) continue
      last.to = startedAt
      changes.removed++
    }
    return changes
  }

  /** The rows of a table, in the order of files. */
  rows(table: TableName, mode: WarehouseMode): PlainCell[][] {
    const all = [...this.#versions].toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    return all.flatMap(([, versions]) => {
      const shown =
        mode === 'history' ? versions : versions.slice(-1).filter(({ to }) => mode === 'marked' || to === null)
      return shown.flatMap((version) => {
        const added = listModeCells(version, mode)
        return rowsOf(version.product, table).map((row) => [...row, ...added])
      })
    })
  }

  /** Counts the products that have that number of versions or more. */
  countVersioned(versions: number): number {
    return [...this.#versions.values()].filter(({ length }) => length >= versions).length
  }

  /** How many products were gone for a while and are back. */
  countReturned(): number {
    return [...this.#versions.values()].filter((versions) => versions.some(isBehindGap)).length
  }

  #take(product: Product, startedAt: number): Exclude<keyof ChangeCounts, 'removed'> {
    const versions = this.#versions.get(product.id) ?? []
    this.#versions.set(product.id, versions)
    const last = versions.at(-1)
    if (last === undefined || last.to !== null) {
      versions.push({ from: chooseStart(product, last?.to ?? null, startedAt), to: null, product })
      return 'new'
    }
    if (last.product.content !== product.content) {
      last.to = chooseStart(product, last.from, startedAt)
      versions.push({ from: last.to, to: null, product })
      return 'changed'
    }
    const isTouched = last.product.updatedAt !== product.updatedAt
    if (isTouched) last.product = product
    return isTouched ? 'touched' : 'unchanged'
  }
}

function isBehindGap({ from }: Version, at: number, versions: readonly Version[]): boolean {
  return at > 0 && versions[at - 1]?.to !== from
}

/** When it was updated; the run's start where that is unknown or not behind what came before. */
function chooseStart({ updatedAt }: Product, before: number | null, startedAt: number): number {
  return updatedAt !== null && (before === null || updatedAt > before) ? updatedAt : startedAt
}

function listModeCells({ from, to }: Version, mode: WarehouseMode): PlainCell[] {
  const end = to === null ? null : String(to)
  if (mode === 'history') return [String(from), end, String(to === null)]
  return mode === 'marked' ? [end] : []
}

/** The columns that a mode adds. */
export const modeColumns: Readonly<Record<WarehouseMode, readonly ExpectedColumn[]>> = {
  kept: [],
  marked: [{ name: '_removed_at', type: 'timestamp' }],
  history: [
    { name: 'valid_from', type: 'timestamp' },
    { name: 'valid_to', type: 'timestamp' },
    { name: 'is_current', type: 'boolean' },
  ],
}

/** The tables of the month, two of them below the first: the columns of each, key columns first. */
export const tableColumns = {
  products: words(
    'id status replacement name_nl name_fr name_en prescription official_deletion_at ean conservation_min_celsius vat public_price package_content not_applicable_field deleted meta_created_at meta_updated_at',
  ),
  product_photos: words('product_id position id locales photo_type meta_updated_at name_nl'),
  product_photo_organizations: words('product_id photo_position position id name_nl type'),
}

function words(text: string): readonly string[] {
  return text.split(' ')
}

export type TableName = keyof typeof tableColumns

const known = new WeakMap<Product, ReturnType<typeof toExpectedTables>>()

/** The rows of a product in a table. */
function rowsOf(product: Product, name: TableName): readonly PlainCell[][] {
  const tables = known.get(product) ?? toExpectedTables(contracts['v4/product'], [product.record], locales)
  known.set(product, tables)
  const { columns = [], rows = [] } = tables.get(name) ?? {}
  const places = tableColumns[name].map((column) => columns.findIndex((each) => each.name === column))
  return rows.map((row) => places.map((at) => row[at] as PlainCell))
}

/** The columns of a table, without those of its mode. */
export function columnsOf(name: TableName): ExpectedColumn[] {
  const { columns = [] } = toExpectedTables(contracts['v4/product'], [], locales).get(name) ?? {}
  return tableColumns[name].map((column) => columns.find((each) => each.name === column) as ExpectedColumn)
}

export const locales = ['nl', 'fr', 'en']

/** Without what is null or an object of nothing, and without what may change and mean nothing; keys in one order. */
function toContent(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => toContent(element))
  if (typeof value !== 'object' || value === null) return value
  const ignored = name === 'meta' ? ['updatedAt', 'embedUrl', 'publicPageUrl'] : []
  const members = Object.entries(value)
    .filter(([key]) => !ignored.includes(key))
    .map(([key, member]) => [key, toContent(member, key)] as const)
    .filter(([, member]) => member !== null && member !== undefined)
  if (members.length === 0) return undefined
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
