import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import { requireManifest } from '../../manifest/read-manifest.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { compileSuccessions, describeSuccession, type Replaceable } from '../../records/replacements.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { checkTargetOfRun } from '../check-target.ts'
import { compareTables, formatText } from '../diff/runs/compare-tables.ts'
import type { RunTable } from '../diff/runs/run-tables.ts'
import { withDuckdb } from '../profile/with-duckdb.ts'
import { type ChangedProduct, classify, type ProductState } from './classify.ts'
import { describeLacks, type DigestColumns, findDigestColumns, listDigestColumns } from './digest-columns.ts'
import { type Digest, type DigestEntry, entryKinds } from './digest-schema.ts'
import { openStates } from './open-states.ts'
import { quoteId, type States } from './states.ts'
import { parseSince } from './since.ts'

export interface DigestOptions extends RequiredContext<'env' | 'now'>, Pick<RunContext, 'signal'> {
  /** A span such as `7d`, a time, a run, or the folder of a copied run. */
  readonly since: string
  /** Where it will be written: not over files of the run. */
  readonly to?: string | undefined
}

/**
 * Makes a digest of what changed in the products of a pipeline since a time: each product is compared as it was then and
 * as it is now, so that several changes are one, and one that was taken back is none. Only reads.
 *
 * Throws USAGE if the pipeline keeps nothing to compare, SOURCE_NOT_FOUND if nothing is published, SOURCE_CHANGED if
 * changes are missing, PEER_MISSING without DuckDB, or INTERRUPTED.
 */
export async function makeDigest(plan: PipelinePlan, options: DigestOptions): Promise<Digest> {
  const { env, signal, to } = options
  const since = await parseSince(options.since, options)
  const { path } = plan.report.manifest
  return withDuckdb(plan.name, { signal, purpose: 'the digest' }, async (workbench) => {
    const storage = await openStorage(path, env, { settings: plan.outputs.s3 })
    try {
      const published = await requireManifest(path, plan.name, storage)
      if (to !== undefined) await checkTargetOfRun(to, path, published)
      const states = await openStates(since, { ...workbench, plan, published, storage, env })
      return await compareStates(plan.name, states, workbench.duckdb)
    } finally {
      await storage.close()
    }
  })
}

async function compareStates(pipeline: string, states: States, duckdb: Duckdb): Promise<Digest> {
  const { basis, old, next, since, until } = states
  const columns = findDigestColumns(next)
  const shared = {
    ...columns,
    prices: columns.prices.filter(({ name }) => old.columns.some((each) => each.name === name)),
  }
  const products = await readChanged(duckdb, old, next, shared)
  const successorOf = await readSuccessors(duckdb, next, columns)
  const names = shared.prices.map(({ name }) => name)
  const entries = products.flatMap((product) =>
    classify(product, names).map(({ kind, price }): DigestEntry => {
      const successor = kind === 'replaced' ? successorOf(product.id) : null
      return { kind, ...describeProduct(product), price, successor }
    }),
  )
  const notes = [...states.notes, ...describeLacks(columns), ...describeNewColumns(columns, shared)]
  const counts = Object.fromEntries(
    entryKinds.map((kind) => [kind, entries.filter((each) => each.kind === kind).length]),
  )
  const units = columns.prices.every(({ unit }) => unit === 'delivered') ? 'delivered' : 'currency'
  return {
    version: 1,
    pipeline,
    since,
    until,
    basis,
    notes,
    units,
    counts: counts as Digest['counts'],
    entries: entries.toSorted(compareEntries),
  }
}

function describeNewColumns({ prices }: DigestColumns, shared: DigestColumns): string[] {
  const added = prices.filter((price) => !shared.prices.includes(price)).map(({ name }) => name)
  return added.length === 0
    ? []
    : [`Not compared, as the table did not have them when the span began: ${added.join(', ')}.`]
}

/** What is known last: replaced products lose their codes. */
function describeProduct({
  id,
  before,
  after,
}: ChangedProduct): Pick<DigestEntry, 'id' | 'brand' | 'code' | 'name' | 'status'> {
  const last = (read: (state: ProductState) => string | null) =>
    (after && read(after)) ?? (before && read(before)) ?? null
  return {
    brand: last((state) => state.brand),
    id,
    code: last((state) => state.code),
    name: last((state) => state.name),
    status: last((state) => state.status),
  }
}

function compareEntries(one: DigestEntry, other: DigestEntry): number {
  return (
    compareTexts(one.brand, other.brand) ||
    entryKinds.indexOf(one.kind) - entryKinds.indexOf(other.kind) ||
    compareTexts(one.name, other.name) ||
    compareTexts(one.id, other.id)
  )
}

/** Nothing comes last. */
function compareTexts(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

async function readChanged(
  duckdb: Duckdb,
  old: RunTable,
  next: RunTable,
  columns: DigestColumns,
): Promise<ChangedProduct[]> {
  const names = listDigestColumns(columns).filter((name) => old.columns.some((each) => each.name === name))
  const compared = names.flatMap((name) => next.columns.find((column) => column.name === name) ?? [])
  await compareTables(duckdb, { name: next.name, old, next, key: next.key, columns: compared })
  const cells = (side: string) => names.map((_, at) => `, ${side}${at}`).join('')
  const rows = await duckdb.readAll(
    `SELECT k0, is_new, is_removed${cells('o')}${cells('n')} FROM differing ORDER BY k0`,
  )
  return rows.map(([id, isNew, isRemoved, ...values]) => {
    const toState = (from: number) => readState(columns, (name) => toCell(values[from + names.indexOf(name)]))
    return {
      id: String(id),
      before: isNew === true ? null : toState(0),
      after: isRemoved === true ? null : toState(names.length),
    }
  })
}

function toCell(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function readState(columns: DigestColumns, read: (name: string) => string | null): ProductState {
  const value = (name: string | null) => (name === null ? null : toFirst(read(name)))
  const { status, replacement, name, brand, code, prices } = columns
  return {
    status: value(status),
    replacement: value(replacement),
    name: value(name),
    brand: value(brand),
    code: value(code),
    prices: prices.map((price) => read(price.name)),
  }
}

/** The first element of a list, which is JSON here. */
function toFirst(text: string | null): string | null {
  if (text === null || !text.startsWith('["')) return text
  const [first = null] = JSON.parse(text) as (string | null)[]
  return first
}

/** Follows replacements among the products of today. */
async function readSuccessors(
  duckdb: Duckdb,
  next: RunTable,
  columns: DigestColumns,
): Promise<(id: string) => DigestEntry['successor']> {
  const { replacement } = columns
  if (replacement === null) return () => null
  const shown = [columns.status, replacement, columns.name, columns.code]
  const cells = shown.map((name) => {
    const column = next.columns.find((each) => each.name === name)
    return column === undefined ? 'NULL' : formatText(column)
  })
  const by = quoteName(replacement)
  const rows = await duckdb.readAll(`SELECT ${quoteId(next)}, ${cells.join(', ')} FROM ${next.from}
    WHERE ${by} IS NOT NULL OR ${quoteId(next)} IN (SELECT CAST(${by} AS VARCHAR) FROM ${next.from} WHERE ${by} IS NOT NULL)
    ${columns.status === null ? '' : `OR ${quoteName(columns.status)} = 'replaced'`}`)
  const known = new Map(rows.map(([id, ...values]) => [String(id), values.map(toCell).map(toFirst)]))
  const find = (id: string): Replaceable | undefined => {
    const values = known.get(id)
    return values && { status: values[0] ?? null, replacement: values[1] ?? null }
  }
  const follow = compileSuccessions(find)
  return (id) => {
    const end = follow(id)
    if (end.kind === 'none') return null
    const last = end.kind === 'successor' ? end.id : null
    const [status = null, , name = null, code = null] = (last !== null && known.get(last)) || []
    return { kind: end.kind, text: describeSuccession(end), id: last, code, name, status }
  }
}
