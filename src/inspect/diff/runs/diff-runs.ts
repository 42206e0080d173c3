import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { withDuckdb } from '../../profile/with-duckdb.ts'
import { type FieldSelection, chooseFields, compileSelection } from '../choose-fields.ts'
import { compileColumnGroups, findPriceScale } from './column-groups.ts'
import { type ComparedTable, compareTables } from './compare-tables.ts'
import type { DiffReport, DiffSide } from '../diff-report.ts'
import { type DifferenceFile, comparedFiles } from '../difference-file.ts'
import { checkTarget } from '../../check-target.ts'
import { type TablePair, listDoubts, pairTables } from './pair-tables.ts'
import type { ReadOptions } from '../read-side.ts'
import { openHistory } from './history-tables.ts'
import { openLakeTable } from './lake-tables.ts'
import type { RowSide } from '../recognize-side.ts'
import { openPlan } from './plan-tables.ts'
import { type ComparedRun, openRun } from './run-tables.ts'
import { toTableDiff } from './table-diff.ts'
import { chooseWithColumns } from './with-columns.ts'
import { contracts, isContractName } from '../../../contracts/contracts.ts'
import { CatalogueError } from '../../../errors.ts'
import { closest, formatSuggestion } from '../../../text/choices.ts'

export interface DiffRunsOptions extends FieldSelection, ReadOptions {
  readonly file: DifferenceFile | null
  /** Values of the record that come beside each difference in the file. */
  readonly with?: readonly string[] | undefined
  readonly onWarning: (message: string) => void
}

/**
 * Compares the rows of two published runs, or of a history at two dates, with DuckDB, table by table, in columns that both have by name. Throws
 * PEER_MISSING without DuckDB, and errors of opening the runs.
 */
export async function diffRuns(old: RowSide, next: RowSide, options: DiffRunsOptions): Promise<DiffReport> {
  const { env, signal, file } = options
  return withDuckdb(next.path, { signal, purpose: 'comparing runs', memoryLimitMb }, async (workbench) => {
    const open = async (side: RowSide, name: string): Promise<ComparedRun> => {
      const folder = join(workbench.folder, name)
      await mkdir(folder)
      if (side.kind === 'table') return openLakeTable(side, { ...workbench, folder, env })
      if (side.kind === 'history') return openHistory(side, { ...workbench, folder, env, signal })
      if (side.kind === 'plan') return openPlan(side, { ...workbench, folder }, env)
      return openRun(side, { ...workbench, folder }, env)
    }
    const [oldRun, newRun] = [await open(old, 'old'), await open(next, 'new')]
    if (file !== null) await checkTarget(file.path, [...listAll(oldRun), ...listAll(newRun)], comparedFiles)
    const pairs = pairTables(oldRun, newRun)
    for (const doubt of listDoubts(oldRun, newRun, pairs)) options.onWarning(doubt)
    // Volatile fields have the same names in all contracts.
    const contract = newRun.contract ?? oldRun.contract ?? 'v4/product'
    const selection = selectColumns(pairs, contract, options)
    const withColumns = chooseWithColumns(pairs, options.with, file?.isForPeople === true)
    await file?.begin({ with: withColumns.names, priceScale: findPriceScale(pairs) })
    const tables = []
    for (const pair of pairs) {
      const compared = describePair(pair, selection.isCompared, options.onWarning)
      if (compared === null) continue
      await compareTables(workbench.duckdb, compared)
      const writing = file && { file, withColumns, groupOf: compileColumnGroups(compared, contract) }
      tables.push(await toTableDiff(workbench.duckdb, compared, writing))
    }
    const equal = tables.every((table) => table.new + table.removed + table.changed === 0)
    return { version: 1, equal, contract, old: toSide(oldRun), new: toSide(newRun), ignored: selection.ignored, tables }
  })
}

function listAll({ files, beside = [] }: ComparedRun): string[] {
  return [...files, ...beside]
}

/** Enough for the tables of most runs; larger tables spill to disk. */
const memoryLimitMb = 256

function toSide({ path, kind, files, finishedAt }: ComparedRun): DiffSide {
  return { path, kind, files: files.length, time: finishedAt, lines: null }
}

function describePair(
  [old, next]: TablePair,
  isCompared: (path: string) => boolean,
  onWarning: (message: string) => void,
): ComparedTable | null {
  const { name: table, places } = next
  const shared = next.columns.filter(({ name }) => old.columns.some((column) => column.name === name))
  const isShared = (name: string): boolean => shared.some((column) => column.name === name)
  const key = { ...next.key, order: next.key.order.filter(isShared) }
  if (!key.columns.every(isShared)) {
    onWarning(`${table}: not compared, as not both have what rows are matched by (${key.columns.join(', ')})`)
    return null
  }
  if (![...places.values()].includes('id'))
    onWarning(`${table}: no column has the id of the record, rows are matched by ${key.columns.join(', ')}`)
  const values = shared.filter(({ name }) => !key.columns.includes(name) && !key.positions.includes(name))
  const columns = values.filter(({ name }) => isCompared(`${table}.${name}`))
  return columns.length === 0 && values.length > 0 ? null : { name: table, old, next, key, columns }
}

/**
 * Selects columns as `table.column`. A selection may name a table, a column of any table, or the field that columns
 * come from. Throws USAGE if nothing has that name.
 */
function selectColumns(pairs: readonly TablePair[], contract: string, options: FieldSelection) {
  const columns = pairs.flatMap(([, { name: table, columns: own, places }]) =>
    own.map(({ name }) => ({ table, name, path: `${table}.${name}`, place: places.get(name) ?? '' })),
  )
  const expand = (wanted: string): string[] => {
    const found = columns.filter(
      ({ table, name, path, place }) => [table, name, path].includes(wanted) || `${place}.`.startsWith(`${wanted}.`),
    )
    if (found.length > 0) return found.map(({ path }) => path)
    const names = columns.flatMap(({ table, name, path }) => [name, path, table])
    const suggestion = formatSuggestion(closest(wanted, names))
    throw new CatalogueError('USAGE', `"${wanted}": expected a table or a column of both runs, got none${suggestion}`)
  }
  const [ignore, include, only] = [options.ignore, options.include, options.only].map((paths) => paths?.flatMap(expand))
  return compileSelection(listVolatile(pairs, contract), { ignore, include, only })
}

function listVolatile(pairs: readonly TablePair[], contract: string): string[] {
  if (!isContractName(contract)) return []
  const { ignored } = chooseFields(contracts[contract].fields, {})
  return pairs
    .filter(([, { key }]) => key.isOfRecords)
    .flatMap(([, { name, places, columns }]) =>
      columns
        .filter((column) => ignored.includes(places.get(column.name) ?? ''))
        .map((column) => `${name}.${column.name}`),
    )
}
