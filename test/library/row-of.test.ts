import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  columnsOf,
  contracts,
  extendContract,
  flattenRecords,
  validateRecords,
  type Contract,
  type RecordOf,
  type RowOf,
  type Stage,
  type TableRow,
  type ValidatedRecord,
} from '../../src/streams.ts'
import { formatColumnType } from '../../src/types/column-types.ts'

const locales = ['nl', 'en_AU'] as const
type Locale = (typeof locales)[number]

/** The column type that a row's value has in the type system; all of them compile only if `RowOf` is exact. */
type TypeNames<Row> = { [Name in keyof Row]: TypeName<Row[Name]> }
type TypeName<Value> =
  NonNullable<Value> extends readonly (infer Element)[] ? `${ScalarName<Element>} list` : ScalarName<Value>
type ScalarName<Value> = [NonNullable<Value>] extends [string]
  ? 'text'
  : [NonNullable<Value>] extends [number]
    ? 'float'
    : [NonNullable<Value>] extends [number | bigint]
      ? 'integer'
      : [NonNullable<Value>] extends [boolean]
        ? 'boolean'
        : [NonNullable<Value>] extends [Date]
          ? 'timestamp'
          : never

const productTypes: TypeNames<RowOf<'v4/product', Locale>> = {
  id: 'text',
  status: 'text',
  ecommerce: 'text',
  replacement: 'text',
  name_nl: 'text',
  name_en_au: 'text',
  seo_name_nl: 'text',
  seo_name_en_au: 'text',
  short_description_nl: 'text',
  short_description_en_au: 'text',
  expires: 'boolean',
  trade_in_refund_value: 'integer',
  trade_in_months_before_expiry: 'integer',
  trade_in_months_after_expiry: 'integer',
  prescription: 'boolean',
  written_request_by_patient: 'boolean',
  requires_legal_text: 'boolean',
  is_a_nutrition_supplement: 'boolean',
  narcotic: 'text',
  biocide: 'text',
  official_deletion_at: 'timestamp',
  ean: 'text list',
  gtin: 'text',
  cnk: 'text',
  ean_gtin8: 'text',
  ean_gtin12: 'text',
  ean_gtin13: 'text',
  ean_gtin14: 'text',
  supplier_reference: 'text',
  hs_code: 'text',
  udi: 'text',
  nut: 'text',
  cti_extended: 'text',
  name_cti: 'text',
  conservation: 'text',
  conservation_label_nl: 'text',
  conservation_label_en_au: 'text',
  conservation_min_celsius: 'float',
  conservation_min_fahrenheit: 'float',
  conservation_min_kelvin: 'float',
  conservation_max_celsius: 'float',
  conservation_max_fahrenheit: 'float',
  conservation_max_kelvin: 'float',
  vat: 'float',
  public_price: 'integer',
  pharmacist_price: 'integer',
  refund_value_with_omnio: 'integer',
  refund_value_without_omnio: 'integer',
  manufacturer_price: 'integer',
  weight: 'integer',
  width: 'integer',
  length: 'integer',
  depth: 'integer',
  weight_with_unit_value: 'float',
  weight_with_unit_unit: 'text',
  width_with_unit_value: 'float',
  width_with_unit_unit: 'text',
  length_with_unit_value: 'float',
  length_with_unit_unit: 'text',
  depth_with_unit_value: 'float',
  depth_with_unit_unit: 'text',
  package_content: 'text',
  package_quantity: 'text',
  packaging_unit: 'text',
  not_applicable_field: 'text list',
  atc: 'text',
  atc_category: 'text list',
  end_of_commercialization_data_from_date: 'timestamp',
  end_of_commercialization_data_expected_end_date: 'timestamp',
  end_of_commercialization_data_status: 'text',
  end_of_commercialization_data_reason: 'text',
  end_of_commercialization_data_impact: 'text',
  deleted: 'boolean',
  meta_created_at: 'timestamp',
  meta_updated_at: 'timestamp',
  meta_embed_url: 'text',
  meta_public_page_url: 'text',
}

const mediaTypes: TypeNames<RowOf<'v4/media', Locale>> = {
  id: 'integer',
  locales: 'text list',
  target_groups: 'text list',
  type: 'text',
  url: 'text',
  name_nl: 'text',
  name_en_au: 'text',
  description_nl: 'text',
  description_en_au: 'text',
  available_from: 'timestamp',
  available_until: 'timestamp',
  meta_created_at: 'timestamp',
  meta_updated_at: 'timestamp',
  link_type: 'text',
  display_order: 'integer',
  photo_type: 'text',
  formats_thumbnail: 'text',
  formats_thumbnail_webp: 'text',
  formats_medium: 'text',
  formats_medium_webp: 'text',
  formats_large: 'text',
  formats_large_webp: 'text',
  formats_huge: 'text',
  formats_huge_webp: 'text',
  formats_medium_jpeg: 'text',
  formats_large_jpg: 'text',
  formats_unkeyed: 'text list',
  visible_sides: 'text list',
  published: 'boolean',
  products: 'text list',
}

describe('RowOf', () => {
  test('RowOf names the columns of the root table and their types, in the order that rows have', () => {
    expect(toTypes(contracts['v4/product'])).toEqual(Object.entries(productTypes))
    expect(toTypes(contracts['v4/media'])).toEqual(Object.entries(mediaTypes))
  })

  test('RowOf of products of both versions has the values of their source', () => {
    type Row = RowOf<'product', 'nl'>
    expectTypeOf<Row['interface_version']>().toEqualTypeOf<'v3' | 'v4' | (string & {}) | null>()
    expectTypeOf<Row['documented_price_unit']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row>().toExtend<Record<keyof RowOf<'v4/product', 'nl'> | keyof RowOf<'v3/product', 'nl'>, unknown>>()
    expectTypeOf<RowOf<'v4/product'>>().not.toHaveProperty('interface_version')
    const extended = extendContract('product', { artgId: 'text' })
    const rows = flattenRecords({ contract: extended, table: 'products', locales: ['nl'], interface: 'v4' })
    type Extended = typeof rows extends Stage<never, infer Given> ? Given : never
    expectTypeOf<Pick<Extended, 'interface_version'>>().toEqualTypeOf<Pick<Row, 'interface_version'>>()
  })

  test('RowOf knows that only the id is always there', () => {
    type Row = RowOf<'v4/media', 'fr'>
    expectTypeOf<Row['id']>().toEqualTypeOf<number | bigint>()
    expectTypeOf<Row['display_order']>().toEqualTypeOf<number | bigint | null>()
    expectTypeOf<Row['meta_updated_at']>().toEqualTypeOf<Date | null>()
    expectTypeOf<Row['products']>().toEqualTypeOf<(string | null)[] | null>()
    expectTypeOf<Row['name_fr']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row>().not.toHaveProperty('name_nl')
    expectTypeOf<Row>().not.toHaveProperty('organizations')
  })
})

describe('enum fields', () => {
  type Open<Values extends string> = Values | (string & {})

  test('RecordOf and RowOf name the values that the specification lists, and take others', () => {
    type Status = Open<'active' | 'inactive' | 'replaced' | 'no_selection'>
    expectTypeOf<RecordOf<'v4/product'>['status']>().toEqualTypeOf<Status | null | undefined>()
    expectTypeOf<RowOf<'v4/product'>['status']>().toEqualTypeOf<Status | null>()
    expectTypeOf<'from_another_market'>().toExtend<RowOf<'v4/product'>['status']>()
    expectTypeOf<RowOf<'v4/media', 'fr'>['target_groups']>().toEqualTypeOf<
      (Open<'public' | 'pharmacist'> | null)[] | null
    >()
  })
})

describe('the stages', () => {
  test('the stages of the library carry the type of the contract from record to row', () => {
    const contract = contracts['v4/product']
    expectTypeOf(validateRecords(contract).items()).toEqualTypeOf<AsyncIterable<ValidatedRecord<typeof contract>>>()
    expectTypeOf<ValidatedRecord<typeof contract>['record']>().toEqualTypeOf<RecordOf<'v4/product'>>()
    const rows = flattenRecords({ contract, table: 'products', locales: ['nl', 'fr'] })
    expectTypeOf(rows.items()).toEqualTypeOf<AsyncIterable<RowOf<'v4/product', 'nl' | 'fr'>>>()
  })

  test('the stages of the library know the rows of child tables, of chosen columns and of chosen locales', () => {
    const contract = contracts['v4/product']
    const photos = flattenRecords({ contract, table: 'product_photos', locales: ['nl'] })
    expectTypeOf(photos.items()).toEqualTypeOf<AsyncIterable<RowOf<'v4/product', 'nl', 'product_photos'>>>()
    expectTypeOf<RowOf<'v4/product', 'nl', 'product_photos'>['position']>().toEqualTypeOf<number>()
    const columns = ['id', 'publicPrice', 'name', 'brands[0].name', 'photos[].id', { count: 'photos[]' }] as const
    const chosen = flattenRecords({ contract, table: 'products', locales: ['nl', 'de'], columns })
    expectTypeOf<Flat<RowIn<typeof chosen>>>().toEqualTypeOf<{
      id: string
      public_price: number | bigint | null
      name_nl: string | null
      name_de: string | null
      brands_0_name_nl: string | null
      brands_0_name_de: string | null
      photos_id: (number | bigint | null)[] | null
      photos_count: number
    }>()
    const mine = flattenRecords({ contract, table: 'mine', each: 'photos[]', columns: ['id'], locales: ['nl'] })
    expectTypeOf<RowIn<typeof mine>>().toEqualTypeOf<RowOf<'v4/product', 'nl', 'product_photos', 'id'>>()
  })

  test('the stages of the library give rows of values by name for names that are known only at run time', () => {
    const contract = contracts['v4/product']
    const [table, columns]: [string, string[]] = ['products', ['id']]
    const byName = flattenRecords({ contract, table, locales: ['nl'] })
    expectTypeOf(byName).toEqualTypeOf<Stage<ValidatedRecord, TableRow>>()
    expectTypeOf(flattenRecords({ contract, table: 'products', columns })).toEqualTypeOf<typeof byName>()
    expectTypeOf(flattenRecords({ table: 'products', locales: ['nl'] })).toEqualTypeOf<typeof byName>()
  })
})

type RowIn<Of> = Of extends Stage<never, infer Row> ? Row : never
type Flat<Of> = { [Name in keyof Of]: Of[Name] }

function toTypes(contract: Contract): (readonly [string, string])[] {
  return columnsOf({ contract, table: contract.plural, locales }).map((column) => [
    column.name,
    formatColumnType(column),
  ])
}
