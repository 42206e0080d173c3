import type { Row } from '../../../src/records/flatten/column.ts'
import type { OutputMode } from '../../../src/plan/outputs/file-plan.ts'
import type { LoadedRecord } from './merged-folder.ts'

interface Version {
  readonly id: string
  readonly validFrom: number
  validTo: number | null
  rows: LoadedRecord['rows']
}

interface Current {
  record: LoadedRecord
  version: Version
  removedAt: number | null
}

/** The result that merging has to have, in plain maps. */
export class MergedModel {
  readonly current = new Map<string, Current>()
  readonly versions: Version[] = []
  changes = { new: 0, changed: 0, touched: 0, unchanged: 0, removed: 0 }
  /** The records of the last load. */
  loaded: LoadedRecord[] = []
  appended: LoadedRecord[] = []
  touched: LoadedRecord[] = []
  removed: LoadedRecord[] = []
  /** The number of the load, from 1. */
  #run = 0
  readonly #columns: readonly number[]

  /** The number of columns of each table. */
  constructor(columns: readonly number[]) {
    this.#columns = columns
  }

  load(records: readonly LoadedRecord[], kind: 'full' | 'delta', startedAt: number): void {
    this.changes = { new: 0, changed: 0, touched: 0, unchanged: 0, removed: 0 }
    this.loaded = [...records]
    this.appended = []
    this.touched = []
    this.removed = []
    this.#run += 1
    const ids = new Set(records.map(({ id }) => id))
    for (const record of records) this.#take(record, startedAt)
    if (kind === 'delta') return
    for (const [id, known] of this.current) {
      if (ids.has(id) || known.removedAt !== null) continue
      known.removedAt = Math.max(startedAt, known.version.validFrom + 1)
      known.version.validTo = known.removedAt
      this.changes.removed += 1
      this.removed.push(known.record)
    }
  }

  #take(record: LoadedRecord, startedAt: number): void {
    const known = this.current.get(record.id)
    if (known === undefined || known.removedAt !== null) {
      this.changes.new += 1
      this.#begin(record, startedAt, known?.removedAt ?? null)
    } else if (known.record.hash !== record.hash) {
      this.changes.changed += 1
      known.version.validTo = this.#begin(record, startedAt, known.version.validFrom)
    } else if (known.record.updatedAt !== record.updatedAt) {
      this.changes.touched += 1
      this.touched.push(record)
      known.record = record
      known.version.rows = record.rows
    } else this.changes.unchanged += 1
  }

  #begin(record: LoadedRecord, startedAt: number, before: number | null): number {
    const { updatedAt, id, rows } = record
    const otherwise = before === null ? startedAt : Math.max(startedAt, before + 1)
    const validFrom = updatedAt !== null && (before === null || updatedAt > before) ? updatedAt : otherwise
    const version = { id, validFrom, validTo: null, rows }
    this.versions.push(version)
    this.current.set(id, { record, version, removedAt: null })
    this.appended.push(record)
    return validFrom
  }

  /** The rows that an output of a table has, in order. */
  rows(table: number, mode: OutputMode, removed: 'drop' | 'mark'): Row[] {
    const of = (rows: LoadedRecord['rows'], ...more: Row) => (rows[table] ?? []).map((row) => [...row, ...more])
    if (mode === 'snapshot') return this.loaded.flatMap(({ rows }) => of(rows))
    if (mode === 'append') return sortById(this.appended).flatMap(({ rows }) => of(rows))
    if (mode === 'changes') return this.#changedRows(table)
    if (mode === 'history') {
      const ordered = sortById(this.versions.toSorted((one, other) => one.validFrom - other.validFrom))
      return ordered.flatMap(({ rows, validFrom, validTo }) => of(rows, validFrom, validTo, validTo === null))
    }
    const known = sortById([...this.current].map(([id, state]) => ({ id, ...state })))
    if (removed === 'mark') return known.flatMap(({ record, removedAt }) => of(record.rows, removedAt))
    return known.filter(({ removedAt }) => removedAt === null).flatMap(({ record }) => of(record.rows))
  }

  /** Among them touched records; the first table has a row for each removed record. */
  #changedRows(table: number): Row[] {
    const before = this.#run === 1 ? null : `run ${this.#run - 1}`
    const nulls = Array.from({ length: (this.#columns[table] ?? 0) - 1 }, () => null)
    const rows = [...this.appended, ...this.touched, ...this.removed].map((record) => {
      const { version, removedAt } = this.current.get(record.id) as Current
      const change = this.#nameChange(record, version)
      const tombstones = table === 0 ? [[record.id, ...nulls]] : []
      const own = change === 'removed' ? tombstones : (record.rows[table] ?? [])
      const added = [change, removedAt ?? version.validFrom, `run ${this.#run}`, before]
      return { id: record.id, rows: own.map((row): Row => [...row, ...added]) }
    })
    return sortById(rows).flatMap((record) => record.rows)
  }

  #nameChange(record: LoadedRecord, version: Version): string {
    if (this.removed.includes(record)) return 'removed'
    if (this.touched.includes(record)) return 'touched'
    const before = this.versions.findLast(({ id, validTo }) => id === record.id && validTo !== null)
    return before?.validTo === version.validFrom ? 'changed' : 'new'
  }
}

/** By the bytes of UTF-8; the order of equals stays. */
function sortById<Value extends { readonly id: string }>(values: readonly Value[]): Value[] {
  return values.toSorted((one, other) => Buffer.compare(Buffer.from(one.id), Buffer.from(other.id)))
}
