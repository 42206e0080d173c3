import { findColumn } from '../diff/runs/with-columns.ts'
import type { RunTable } from '../diff/runs/run-tables.ts'
import type { ReadableColumn } from '../profile/readable-table.ts'

/** The columns of the table of records that a digest is made of, by name; null for what the table lacks. */
export interface DigestColumns {
  readonly status: string | null
  readonly replacement: string | null
  readonly name: string | null
  readonly brand: string | null
  readonly code: string | null
  readonly prices: readonly ReadableColumn[]
}

type Described = Pick<RunTable, 'name' | 'columns' | 'places'>

/** Finds columns by the fields that they come from. Of several codes the first is taken, of names the first locale. */
export function findDigestColumns(table: Described): DigestColumns {
  const find = (...places: string[]) => places.flatMap((place) => findColumn(table, place) ?? [])[0] ?? null
  return {
    status: find('status'),
    replacement: find('replacement'),
    name: find('name', 'seoName'),
    brand: find('brands[0].name', 'brands[].name'),
    code: find(...codes),
    prices: table.columns.filter(({ unit, list }) => unit !== undefined && !list),
  }
}

const codes = [
  'cnk',
  'eanGtin13',
  'ean',
  'gtin',
  'eanGtin14',
  'cip13',
  'cip7',
  'cipOrAcl7',
  'acl13',
  'pzn',
  'supplierReference',
]

/** All of them, each once. */
export function listDigestColumns(columns: DigestColumns): string[] {
  const { status, replacement, name, brand, code, prices } = columns
  const names = [status, replacement, name, brand, code, ...prices.map((price) => price.name)]
  return [...new Set(names.filter((each) => each !== null))]
}

/** What a digest of these columns can't show, with the lines of the config that mend it. */
export function describeLacks(columns: DigestColumns): string[] {
  const lacks = [
    columns.prices.length === 0 &&
      'No column has a price: changes of prices are not shown. Add `publicPrice` to the columns of the table.',
    columns.status === null &&
      'No column has the status: products that become inactive are not shown. Add `status` to the columns.',
    columns.replacement === null &&
      'No column has the replacement: successors are not named. Add `replacement` to the columns.',
    columns.brand === null &&
      'No column has the brand: products are not grouped. Add `{ column: brand, from: brands[0].name, locale: nl }` to the columns.',
  ]
  return lacks.filter((lack) => lack !== false)
}
