/*
 * Polars as a process of its own: node run-polars.mjs INPUT OUTPUT, to Parquet or CSV by the name of the output.
 *
 * `scanJson` of 0.24 cannot read these files: it infers types only, and stops at a field that comes in two shapes ("failed
 * to determine supertype"). Later ones take a schema, but need Node 22, and take longer with it than this: each line is
 * read as text, through a CSV without separators, and decoded as the types of the fields that are needed.
 */
import pl from 'nodejs-polars'

const [input, output] = process.argv.slice(2)
const isCsv = output.endsWith('.csv')

const fields = (types) => pl.Struct(Object.entries(types).map(([name, type]) => new pl.Field(name, type)))
const text = pl.Utf8
const localized = fields({ nl: text, fr: text, en: text })
const temperature = fields({ celsius: pl.Float64, fahrenheit: pl.Float64, kelvin: pl.Float64 })
const measure = fields({ value: pl.Float64, unit: text })
const product = fields({
  id: text,
  status: text,
  name: localized,
  seoName: localized,
  prescription: pl.Bool,
  writtenRequestByPatient: pl.Bool,
  requiresLegalText: pl.Bool,
  isANutritionSupplement: pl.Bool,
  narcotic: text,
  biocide: text,
  officialDeletionAt: pl.Int64,
  cnk: text,
  supplierReference: text,
  hsCode: text,
  ctiExtended: text,
  nameCti: text,
  conservation: text,
  conservationMin: temperature,
  conservationMax: temperature,
  vat: pl.Float64,
  publicPrice: pl.Int64,
  manufacturerPrice: pl.Int64,
  pharmacistPrice: pl.Int64,
  refundValueWithOmnio: pl.Int64,
  refundValueWithoutOmnio: pl.Int64,
  weightWithUnit: measure,
  widthWithUnit: measure,
  lengthWithUnit: measure,
  depthWithUnit: measure,
  packageContent: text,
  packageQuantity: text,
  packagingUnit: text,
  notApplicableField: pl.List(text),
  atcCategory: pl.List(text),
  brands: pl.List(fields({ name: fields({ nl: text }) })),
  activeIngredients: pl.List(fields({ id: pl.Int64 })),
  deleted: pl.Bool,
  meta: fields({ createdAt: pl.Int64, updatedAt: pl.Int64 }),
})

const of = (...path) => path.reduce((value, name) => value.struct.field(name), pl.col('result'))
const toTime = (seconds) => seconds.mul(pl.lit(1000)).cast(pl.Datetime('ms', 'UTC'))
const joined = (list) => (isCsv ? list.cast(pl.List(text)).lst.join('|') : list)
const columns = {
  id: of('id'),
  status: of('status'),
  name_nl: of('name', 'nl'),
  name_fr: of('name', 'fr'),
  name_en: of('name', 'en'),
  seo_name_nl: of('seoName', 'nl'),
  seo_name_fr: of('seoName', 'fr'),
  seo_name_en: of('seoName', 'en'),
  prescription: of('prescription'),
  written_request_by_patient: of('writtenRequestByPatient'),
  requires_legal_text: of('requiresLegalText'),
  is_a_nutrition_supplement: of('isANutritionSupplement'),
  narcotic: of('narcotic'),
  biocide: of('biocide'),
  official_deletion_at: toTime(of('officialDeletionAt')),
  cnk: of('cnk').str.zFill(7),
  supplier_reference: of('supplierReference'),
  hs_code: of('hsCode'),
  cti_extended: of('ctiExtended'),
  name_cti: of('nameCti'),
  conservation: of('conservation'),
  conservation_min_celsius: of('conservationMin', 'celsius'),
  conservation_min_fahrenheit: of('conservationMin', 'fahrenheit'),
  conservation_min_kelvin: of('conservationMin', 'kelvin'),
  conservation_max_celsius: of('conservationMax', 'celsius'),
  conservation_max_fahrenheit: of('conservationMax', 'fahrenheit'),
  conservation_max_kelvin: of('conservationMax', 'kelvin'),
  vat: of('vat'),
  public_price: of('publicPrice'),
  manufacturer_price: of('manufacturerPrice'),
  pharmacist_price: of('pharmacistPrice'),
  refund_value_with_omnio: of('refundValueWithOmnio'),
  refund_value_without_omnio: of('refundValueWithoutOmnio'),
  weight_with_unit_value: of('weightWithUnit', 'value'),
  weight_with_unit_unit: of('weightWithUnit', 'unit'),
  width_with_unit_value: of('widthWithUnit', 'value'),
  width_with_unit_unit: of('widthWithUnit', 'unit'),
  length_with_unit_value: of('lengthWithUnit', 'value'),
  length_with_unit_unit: of('lengthWithUnit', 'unit'),
  depth_with_unit_value: of('depthWithUnit', 'value'),
  depth_with_unit_unit: of('depthWithUnit', 'unit'),
  package_content: of('packageContent'),
  package_quantity: of('packageQuantity'),
  packaging_unit: of('packagingUnit'),
  not_applicable_field: joined(of('notApplicableField')),
  atc_category: joined(of('atcCategory')),
  brand: of('brands').lst.first().struct.field('name').struct.field('nl'),
  active_ingredient_ids: joined(of('activeIngredients').lst.eval(pl.element().struct.field('id'))),
  deleted: of('deleted'),
  meta_created_at: toTime(of('meta', 'createdAt')),
  meta_updated_at: toTime(of('meta', 'updatedAt')),
}

// JSON holds no control characters, so that neither separator nor quote is ever met.
const lines = pl.scanCSV(input, { hasHeader: false, sep: '\u0001', quoteChar: '\u0002', schema: { line: text } })
const rows = lines
  .select(
    pl
      .col('line')
      .str.jsonDecode(fields({ result: product }))
      .struct.field('result')
      .alias('result'),
  )
  .select(...Object.entries(columns).map(([name, value]) => value.alias(name)))
const sink = isCsv
  ? rows.sinkCSV(output, { datetimeFormat: '%Y-%m-%dT%H:%M:%SZ', maintainOrder: true })
  : rows.sinkParquet(output, {
      compression: 'zstd',
      sinkOptions: { syncOnClose: 'none', maintainOrder: true, mkdir: false },
    })
sink.collectSync('streaming')
