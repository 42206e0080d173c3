import { createHash } from 'node:crypto'
import type { KeyedTable } from '../../../src/plan/loads/stateful-plan.ts'
import type { DatabaseLoad, DatabaseOutputPlan } from '../../../src/loads/databases/database-output.ts'
import type { Column, Row } from '../../../src/records/flatten/column.ts'
import { hashDigits } from '../../../src/records/flatten/content-hash.ts'
import type { ChangeCounts } from '../../../src/manifest/manifest.ts'

/** A record as the tests' service has it. */
export interface ModelRecord {
  readonly id: string
  /** The values that the content hash is made of. */
  readonly name: string | null
  readonly photos: readonly string[]
  readonly updatedAt: number | null
}

const columns = (...all: [string, Column['type']['kind'], boolean?][]): Column[] =>
  all.map(([name, kind, list = false]) => ({ name, type: { kind } as Column['type'], list }))

export const modelTables: readonly KeyedTable[] = [
  {
    name: 'products',
    columns: columns(['id', 'text'], ['name', 'text'], ['updated_at', 'timestamp'], ['photos', 'text', true]),
    idColumn: 'id',
    positionColumns: [],
  },
  {
    name: 'product_photos',
    columns: columns(['product_id', 'text'], ['position', 'integer'], ['url', 'text']),
    idColumn: 'product_id',
    positionColumns: ['position'],
  },
]

/** Rows by table, those of the records last. */
export function toRows(records: readonly ModelRecord[]): Row[][] {
  return [
    records.map(({ id, name, updatedAt, photos }) => [id, name, updatedAt, photos]),
    records.flatMap(({ id, photos }) => photos.map((url, at) => [id, at + 1, url])),
    records.map((record) => [record.id, hashOf(record), record.updatedAt, null, null]),
  ]
}

function hashOf({ name, photos }: ModelRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([name, photos]))
    .digest('hex')
    .slice(0, hashDigits)
}

interface ModelPlan extends Pick<DatabaseOutputPlan, 'mode' | 'removed'> {
  /** Whether the rows of touched records stay as they are, as in a lake. Default false. */
  readonly keepsTouched?: boolean
}

interface Known {
  record: ModelRecord
  validFrom: number
  removedAt: number | null
}

/**
 * The rows that tables have to hold after loads, kept in memory in the plainest way: one line of text a row, mode columns last,
 * in any order.
 */
export class LoadModel {
  readonly #plan: ModelPlan
  #known = new Map<string, Known>()
  /** By table. */
  #rows: { id: string; row: Row; mode: (string | number | boolean | null)[] }[][] = [[], []]

  constructor(plan: ModelPlan) {
    this.#plan = plan
  }

  load(
    records: readonly ModelRecord[],
    { kind, startedAt, runId }: Pick<DatabaseLoad, 'kind' | 'startedAt' | 'runId'>,
  ) {
    const counts = { new: 0, changed: 0, touched: 0, unchanged: 0, removed: 0 }
    const start = startedAt.getTime()
    if (this.#plan.mode === 'snapshot') this.#rows = [[], []]
    for (const record of records) {
      const change = this.#compare(record)
      counts[change]++
      this.#place(record, change, start, runId)
    }
    if (kind === 'full') {
      const ids = new Set(records.map(({ id }) => id))
      const gone = [...this.#known].filter(([id, { removedAt }]) => removedAt === null && !ids.has(id))
      counts.removed = gone.length
      for (const [id, known] of gone) {
        known.removedAt = Math.max(start, known.validFrom + 1)
        this.#remove(id, known.removedAt)
      }
    }
    return counts
  }

  /** By table, as sorted lines of JSON. */
  get tables(): string[][] {
    return this.#rows.map((rows) => rows.map(({ row, mode }) => JSON.stringify([...row, ...mode])).toSorted())
  }

  #compare(record: ModelRecord): Exclude<keyof ChangeCounts, 'removed'> {
    const known = this.#known.get(record.id)
    if (known === undefined || known.removedAt !== null) return 'new'
    if (hashOf(known.record) !== hashOf(record)) return 'changed'
    return known.record.updatedAt === record.updatedAt ? 'unchanged' : 'touched'
  }

  #place(record: ModelRecord, change: string, start: number, runId: string): void {
    const { mode, removed } = this.#plan
    const former = this.#known.get(record.id)
    const { updatedAt, id } = record
    const before = former === undefined ? null : Math.max(former.validFrom, former.removedAt ?? 0)
    const isVersion = change === 'new' || change === 'changed'
    const isLater = updatedAt !== null && (before === null || updatedAt > before)
    const ownFrom = isLater ? updatedAt : Math.max(start, (before ?? -1) + 1)
    const validFrom = isVersion ? ownFrom : (former?.validFrom ?? start)
    if (change !== 'unchanged') this.#known.set(id, { record, validFrom, removedAt: null })
    const add = (...values: (string | number | boolean | null)[]) => {
      const rows = toRows([record])
      for (const [at, table] of this.#rows.entries()) {
        for (const row of rows[at] ?? []) table.push({ id, row, mode: values })
      }
    }
    const drop = (isOld: (row: { mode: unknown[] }) => boolean) => {
      this.#rows = this.#rows.map((rows) => rows.filter((row) => row.id !== id || !isOld(row)))
    }
    if (mode === 'snapshot') return add()
    if (change === 'unchanged' || (change === 'touched' && this.#plan.keepsTouched)) return
    if (mode === 'append') {
      if (isVersion) add(new Date(start).toISOString().slice(0, 10), runId)
      return
    }
    if (mode === 'merge') {
      drop(() => true)
      return removed === 'mark' ? add(null) : add()
    }
    if (change === 'touched') drop(({ mode: [, , isCurrent] }) => isCurrent === true)
    if (change === 'changed') this.#close(id, validFrom)
    add(validFrom, null, true)
  }

  #remove(id: string, start: number): void {
    const { mode, removed } = this.#plan
    if (mode === 'history') this.#close(id, start)
    if (mode !== 'merge') return
    if (removed === 'drop') this.#rows = this.#rows.map((rows) => rows.filter((row) => row.id !== id))
    else for (const row of this.#rows.flat()) if (row.id === id) row.mode = [start]
  }

  #close(id: string, until: number): void {
    for (const row of this.#rows.flat()) {
      if (row.id === id && row.mode[2] === true) row.mode = [row.mode[0] ?? null, until, false]
    }
  }
}
