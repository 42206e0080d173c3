import { contracts, isContractName } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { withDuckdb } from '../profile/with-duckdb.ts'
import { chooseFields, compileSelection, type FieldSelection } from './choose-fields.ts'
import { compareTables, type ComparedTable, toTableDiff } from './compare-tables.ts'
import type { DiffReport, DiffSide } from './diff-report.ts'
import type { DifferenceFile } from './difference-file.ts'
import type { ReadOptions } from './read-side.ts'
import type { RunSide } from './recognize-side.ts'
import { chooseKey } from './row-key.ts'
import { type ComparedRun, openRun, type RunTable } from './run-tables.ts'

export interface DiffRunsOptions extends FieldSelection, ReadOptions {
  readonly file: DifferenceFile | null
  readonly onWarning: (message: string) => void
}

/**
 * Compares the rows that two runs published, table by table, with DuckDB: columns that both have, by name. Throws
 * PEER_MISSING without DuckDB, and what opening the runs throws.
 */
export async function diffRuns(old: RunSide, next: RunSide, options: DiffRunsOptions): Promise<DiffReport> {
  const { env, signal, file } = options
  return withDuckdb(next.path, { signal, purpose: 'comparing runs' }, async (workbench) => {
    const [oldRun, newRun] = [await openRun(old, workbench, env), await openRun(next, workbench, env)]
    const pairs = pairTables(oldRun, newRun, options.onWarning)
    const selection = selectColumns(pairs, newRun.contract, options)
    const tables = []
    for (const [oldTable, newTable] of pairs) {
      const compared = describePair(oldTable, newTable, selection.isCompared)
      if (compared === null) continue
      await compareTables(workbench.duckdb, compared)
      tables.push(await toTableDiff(workbench.duckdb, compared, file))
    }
    const equal = tables.every((table) => table.new + table.removed + table.changed === 0)
    const { contract } = newRun
    return { version: 1, equal, contract, old: toSide(oldRun), new: toSide(newRun), ignored: selection.ignored, tables }
  })
}

function toSide({ path, files, finishedAt }: ComparedRun): DiffSide {
  return { path, kind: 'run', files, time: finishedAt, lines: null }
}

type Pair = readonly [old: RunTable, next: RunTable]

/** The tables of both, in the order of the new run. Says what only one of them has. */
function pairTables(old: ComparedRun, next: ComparedRun, onWarning: (message: string) => void): Pair[] {
  const pairs = next.tables.flatMap((table): Pair[] => {
    const other = old.tables.find(({ name }) => name === table.name)
    return other === undefined ? [] : [[other, table]]
  })
  const say = (run: ComparedRun, names: readonly string[], what: string): void => {
    if (names.length > 0) onWarning(`${run.path}: only here: ${what} ${names.join(', ')}`)
  }
  const namesOf = (run: ComparedRun, other: ComparedRun): string[] =>
    run.tables.filter(({ name }) => other.tables.every((each) => each.name !== name)).map(({ name }) => name)
  say(old, namesOf(old, next), 'table')
  say(next, namesOf(next, old), 'table')
  for (const [oldTable, newTable] of pairs) {
    say(old, listOwnColumns(oldTable, newTable), 'column')
    say(next, listOwnColumns(newTable, oldTable), 'column')
  }
  if (pairs.length > 0) return pairs
  const message = `${next.path}: expected a table of ${old.path}, got none`
  throw new CatalogueError('USAGE', message, { fix: 'Compare two runs of one pipeline, with outputs that are files.' })
}

function listOwnColumns({ name, columns }: RunTable, other: RunTable): string[] {
  const own = columns.filter((column) => other.columns.every((each) => each.name !== column.name))
  return own.map((column) => `${name}.${column.name}`)
}

/** Columns as `table.column`. A selection may name a table, or a column of any table. */
function selectColumns(pairs: readonly Pair[], contract: string, options: DiffRunsOptions) {
  const names = pairs.flatMap(([, { name, columns }]) =>
    columns.map((column) => ({ table: name, column: column.name })),
  )
  const expand = (path: string): string[] => {
    const found = names.filter(
      ({ table, column }) => path === table || path === `${table}.${column}` || path === column,
    )
    if (found.length === 0) options.onWarning(`"${path}" is no table and no column of both runs`)
    return found.map(({ table, column }) => `${table}.${column}`)
  }
  const [ignore, include, only] = [options.ignore, options.include, options.only].map((paths) => paths?.flatMap(expand))
  return compileSelection(listVolatile(pairs, contract), { ignore, include, only })
}

/** The columns of records that are left out by default. */
function listVolatile(pairs: readonly Pair[], contract: string): string[] {
  if (!isContractName(contract)) return []
  const { ignored } = chooseFields(contracts[contract].fields, {})
  return pairs.flatMap(([, { name, places, columns }]) => {
    const isOfRecords = chooseKey(columns, places).isOfRecords
    return isOfRecords
      ? columns
          .filter((column) => ignored.includes(places.get(column.name) ?? ''))
          .map((column) => `${name}.${column.name}`)
      : []
  })
}

/** Null where nothing of the table is compared. */
function describePair(old: RunTable, next: RunTable, isCompared: (path: string) => boolean): ComparedTable | null {
  const key = chooseKey(next.columns, next.places)
  const shared = next.columns.filter(({ name }) => old.columns.some((column) => column.name === name))
  const isPlaced = (name: string): boolean => key.columns.includes(name) || key.positions.includes(name)
  const columns = shared.filter(({ name }) => !isPlaced(name) && isCompared(`${next.name}.${name}`))
  const hasKey = key.columns.every((name) => shared.some((column) => column.name === name))
  return columns.length === 0 || !hasKey ? null : { name: next.name, old, next, key, columns }
}
