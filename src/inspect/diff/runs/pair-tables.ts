import { CatalogueError } from '../../../errors.ts'
import type { ComparedRun, RunTable } from './run-tables.ts'

export type TablePair = readonly [old: RunTable, next: RunTable]

/** Pairs tables by name in the order of the new run. Throws USAGE if there are none. */
export function pairTables(old: ComparedRun, next: ComparedRun): TablePair[] {
  const pairs = next.tables.flatMap((table): TablePair[] => {
    const other = old.tables.find(({ name }) => name === table.name)
    return other === undefined ? [] : [[other, table]]
  })
  if (pairs.length > 0) return pairs
  const expected =
    old.tables.length === 0 ? 'tables in files or in a lake' : `a table of ${old.path} (${namesOf(old.tables)})`
  const got = next.tables.length === 0 ? 'none' : namesOf(next.tables)
  throw new CatalogueError('USAGE', `${next.path}: expected ${expected}, got ${got}`, {
    fix: 'Compare two runs of one pipeline, with tables of the same names.',
  })
}

/** Warnings about tables and columns that only one run has, or that have different types. */
export function listDoubts(old: ComparedRun, next: ComparedRun, pairs: readonly TablePair[]): string[] {
  return [
    ...(old.contract === next.contract || old.contract === null || next.contract === null
      ? []
      : [`${next.path}: records of ${next.contract}, those of ${old.path} are of ${old.contract}`]),
    ...sayOnly(old, 'table', listOwn(old.tables, next.tables)),
    ...sayOnly(next, 'table', listOwn(next.tables, old.tables)),
    ...pairs.flatMap(([oldTable, newTable]) => [
      ...sayOnly(old, 'column', listOwn(oldTable.columns, newTable.columns, `${oldTable.name}.`)),
      ...sayOnly(next, 'column', listOwn(newTable.columns, oldTable.columns, `${newTable.name}.`)),
      ...listOtherTypes(oldTable, newTable).map((each) => `${next.path}: ${each} in ${old.path}`),
    ]),
  ]
}

function sayOnly({ path }: ComparedRun, what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const more = names.length > mostNames ? `, … (${names.length - mostNames} more)` : ''
  return [`${path}: only here, not compared: ${what} ${names.slice(0, mostNames).join(', ')}${more}`]
}

const mostNames = 12

interface Named {
  readonly name: string
}

function namesOf(named: readonly Named[]): string {
  return named.map(({ name }) => name).join(', ')
}

function listOwn(named: readonly Named[], others: readonly Named[], prefix = ''): string[] {
  return named.filter(({ name }) => others.every((other) => other.name !== name)).map(({ name }) => prefix + name)
}

function listOtherTypes({ columns }: RunTable, { name: table, columns: newColumns }: RunTable): string[] {
  return newColumns.flatMap(({ name, type }) => {
    const old = columns.find((column) => column.name === name)
    return old === undefined || old.type === type ? [] : [`${table}.${name} is ${type}, ${old.type}`]
  })
}
