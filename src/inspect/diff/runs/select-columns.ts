import { contracts, isContractName } from '../../../contracts/contracts.ts'
import { CatalogueError } from '../../../errors.ts'
import { closest, formatSuggestion } from '../../../text/choices.ts'
import { chooseFields, compileSelection, type FieldSelection } from '../choose-fields.ts'
import type { TablePair } from './pair-tables.ts'

/**
 * Selects columns as `table.column`. A selection may name a table, a column of any table, or the field that columns
 * come from. Throws USAGE if nothing has that name.
 */
export function selectColumns(pairs: readonly TablePair[], contract: string, options: FieldSelection) {
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
