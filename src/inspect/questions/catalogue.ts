import { CatalogueError } from '../../errors.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import type { PublishedColumn, PublishedTable } from '../sql/published-table.ts'

/** What saved questions are asked about. */
export interface Catalogue {
  readonly tables: readonly PublishedTable[]
  readonly locales: readonly string[]
  /** When the run ended, as ISO text: the questions say "this week" of that time, so that an answer stays the same. */
  readonly finishedAt: string
}

/** A value of a record as SQL, with the join that it needs. */
export interface JoinedValue {
  readonly sql: string
  /** Empty, or a line that begins with LEFT JOIN. */
  readonly join: string
}

/** A column of a localized field. The locale is empty for a column that takes the first of several. */
export interface LocalizedColumn {
  readonly locale: string
  readonly sql: string
}

/** The table of records, `p` in SQL, and the tables of lists in them, by the paths that columns are made from. */
export class Records {
  readonly table: PublishedTable
  readonly catalogue: Catalogue
  /** For messages. */
  readonly #asked: string

  constructor(asked: string, table: PublishedTable, catalogue: Catalogue) {
    this.#asked = asked
    this.table = table
    this.catalogue = catalogue
  }

  get from(): string {
    return `FROM ${toSource(this.table)} p`
  }

  /** The column as delivered from this path; null if there is none. */
  find(path: string): string | null {
    const column = this.table.columns.find(({ from }) => from === path)
    return column === undefined ? null : `p.${quoteName(column.name)}`
  }

  /** Throws USAGE, saying which column is missing. */
  need(path: string): string {
    return this.find(path) ?? this.#throwMissing(path)
  }

  /** The columns of a localized field, in the order of the table. */
  localized(path: string): LocalizedColumn[] {
    return toLocalized(path, this.table.columns, 'p')
  }

  needLocalized(path: string): LocalizedColumn[] {
    const found = this.localized(path)
    return found.length > 0 ? found : this.#throwMissing(path)
  }

  /** A localized value in the first locale that has one; null if there is no column. */
  anyLocale(path: string): string | null {
    return coalesce(this.localized(path))
  }

  /** The value of the first element of a list, `brands[0].name`: a column of the table, or of the list's own. */
  first(path: string): JoinedValue | null {
    const own = this.anyLocale(path)
    if (own !== null) return { sql: own, join: '' }
    const [, list = '', member = ''] = /^([^[]+)\[0\]\.(.+)$/.exec(path) ?? []
    const child = this.child(`${list}[]`)
    const id = this.find('id')
    const name = child && coalesce(toLocalized(member, child.table.columns, null))
    if (id === null || child === null || child.position === null || name === null) return null
    const alias = quoteName(`first_${list}`)
    const selected = `SELECT ${child.key} AS id, ${name} AS value FROM ${toSource(child.table)}`
    const only = `QUALIFY row_number() OVER (PARTITION BY ${child.key} ORDER BY ${child.position}) = 1`
    return { sql: `${alias}.value`, join: `\nLEFT JOIN (${selected} ${only}) ${alias} ON ${alias}.id = ${id}` }
  }

  needFirst(path: string): JoinedValue {
    return this.first(path) ?? this.#throwMissing(path)
  }

  /** The table of a list, such as `photos[]`; null if there is none that says of which record a row is. */
  child(each: string): ChildTable | null {
    for (const table of this.catalogue.tables) {
      if (table.each !== each) continue
      const key = table.columns.find(({ plan }) => plan?.source.kind === 'key')
      const position = table.columns.find(({ plan }) => plan?.source.kind === 'position')
      if (key === undefined) continue
      return {
        table,
        from: toSource(table),
        key: quoteName(key.name),
        position: position === undefined ? null : quoteName(position.name),
        find: (path) =>
          quoteFound(table.columns.find(({ from, plan }) => from === path && plan?.source.kind === 'path')),
        localized: (path) => toLocalized(path, table.columns, null),
      }
    }
    return null
  }

  /** `id`, `cnk`, `name`, `brand`: what a person knows a product by, of the columns that there are. */
  identity(): { readonly cells: readonly string[]; readonly join: string } {
    const brand = this.first('brands[0].name')
    const named = [
      [this.need('id'), 'id'],
      [this.find('cnk'), 'cnk'],
      [this.anyLocale('name'), 'name'],
      [brand?.sql ?? null, 'brand'],
    ] as const
    const cells = named.flatMap(([sql, name]) => (sql === null ? [] : [`${sql} AS ${name}`]))
    return { cells, join: brand?.join ?? '' }
  }

  /** Only active records, if the table says which are; `true` otherwise. */
  get active(): string {
    const status = this.find('status')
    return status === null ? 'true' : `${status} = 'active'`
  }

  /** Throws USAGE with what to add to the config. */
  throwMissing(path: string, what = `a column made from ${path}`): never {
    throw new CatalogueError('USAGE', `${this.#asked}: expected ${what}, got none in table "${this.table.name}"`, {
      title: 'The question needs a column that is not published',
      fix: `Add ${path} to the config (\`columns: all\` has every field), and run the pipeline again.`,
    })
  }

  #throwMissing(path: string): never {
    const list = /^([^[]+)\[0\]\./.exec(path)?.[1]
    return this.throwMissing(path, `a column made from ${path}${list === undefined ? '' : `, or a table of ${list}[]`}`)
  }
}

export interface ChildTable {
  readonly table: PublishedTable
  /** SQL after FROM. */
  readonly from: string
  /** The column of the record's id. */
  readonly key: string
  readonly position: string | null
  find(this: void, path: string): string | null
  localized(this: void, path: string): LocalizedColumn[]
}

/** The tables of records: a question is asked about the first that has what it needs. */
export function listRecords(asked: string, catalogue: Catalogue): Records[] {
  return catalogue.tables
    .filter(({ each, name }) => each === '' && !/_(?:history|changes)$/.test(name))
    .map((table) => new Records(asked, table, catalogue))
}

export function coalesce(columns: readonly LocalizedColumn[]): string | null {
  const [first, ...others] = columns.map(({ sql }) => sql)
  if (first === undefined) return null
  return others.length === 0 ? first : `coalesce(${[first, ...others].join(', ')})`
}

function toSource({ name, current }: PublishedTable): string {
  return current === null ? quoteName(name) : `(SELECT * FROM ${quoteName(name)} WHERE ${current})`
}

function toLocalized(path: string, columns: readonly PublishedColumn[], alias: string | null): LocalizedColumn[] {
  return columns.flatMap(({ name, from, plan }) => {
    if (from !== path && !isLocaleOf(path, from)) return []
    if (plan !== undefined && plan.source.kind !== 'path') return []
    const locale = from === path ? '' : from.slice(path.length + 1)
    return [{ locale, sql: alias === null ? quoteName(name) : `${alias}.${quoteName(name)}` }]
  })
}

function isLocaleOf(path: string, from: string): boolean {
  return from.startsWith(`${path}.`) && /^[a-z]{2}(?:_[A-Z]{2})?$/.test(from.slice(path.length + 1))
}

function quoteFound(column: PublishedColumn | undefined): string | null {
  return column === undefined ? null : quoteName(column.name)
}
