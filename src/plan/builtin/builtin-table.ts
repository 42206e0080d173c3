import type { Contract } from '../../contracts/contracts.ts'
import type { ColumnPlan } from '../../records/flatten/table-plan.ts'

/**
 * A built-in table: `tables: { codes: { builtin: codes } }`. To add one:
 *
 * 1. Its name goes to `builtinNames` in `table-plan.ts`, which is also the config key's choice.
 * 2. Its definition, in a file beside this one, says its columns and its feed. The feed are columns of the root table that
 *    no output shows; they are encoded with each block by the kernel or the reference path, as other tables are.
 * 3. Its computation goes to `src/engine/builtin/computations.ts` (a `Computation`). It takes the feed of each block, in the order of the
 *    lines, and at the end gives the rows of the table as lines of JSON. They are encoded and counted as records whose fields are the
 *    columns, and all outputs get them as they get the rows of other tables.
 *
 * Everything that describes tables (plan, manifest, profile, data package, DDL, comments, Parquet) reads the columns.
 */
export interface BuiltinTable {
  /** What a row is. */
  readonly description: string
  /** In their order. Begins with a column from `id` and a position, which are the key of a row. */
  readonly columns: readonly ColumnPlan[]
  /** The columns to compute it from; a text if the contract has nothing for it. */
  readonly planFeed: (contract: Contract) => readonly FeedColumn[] | string
}

/** A column of the feed: the key under which the computation gets it, and a path in the record. */
export interface FeedColumn {
  readonly column: string
  readonly from: string
  /** Whatever is there, as JSON. */
  readonly as?: 'json'
}

/** A column that the computation fills. */
export function computed(
  name: string,
  kind: 'text' | 'integer' | 'boolean' | 'float' | 'timestamp',
  meaning: string,
  isFilled: boolean,
): ColumnPlan {
  return { name, type: { kind }, list: false, from: '', source: { kind: 'computed', meaning, isFilled } }
}

/** The key of the rows: the record, and the position among its rows. */
export const keyColumns: readonly ColumnPlan[] = [
  { name: 'product_id', type: { kind: 'text' }, list: false, from: 'id', source: { kind: 'key' } },
  {
    name: 'position',
    type: { kind: 'integer' },
    list: false,
    from: 'position',
    source: { kind: 'position', depth: 0 },
  },
]
