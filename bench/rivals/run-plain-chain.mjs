/*
 * The script that one would write by hand, as a process of its own: node run-plain-chain.mjs INPUT OUTPUT, to Parquet or
 * CSV by the name of the output. One thread; split2, JSON.parse, zod, and csv-stringify or hyparquet-writer.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { fileWriter, parquetWriteRows } from 'hyparquet-writer'
import split2 from 'split2'
import { z } from 'zod'

const [input, output] = process.argv.slice(2)

const text = z.string().nullish()
const number = z.number().nullish()
const boolean = z.boolean().nullish()
const integer = z.int().nullish()
const code = z.union([z.string(), z.int()]).nullish()
const localized = z.object({ nl: text, fr: text, en: text }).nullish()
const temperature = z.object({ celsius: number, fahrenheit: number, kelvin: number }).nullish()
const measure = z.object({ value: number, unit: text }).nullish()
const choice = (...values) => z.enum(values).nullish()

/** The fields that are needed; zod leaves the others out without a look at them. */
const lineSchema = z.object({
  meta: z.object({ total: z.int(), index: z.int() }),
  result: z.object({
    id: z.string(),
    status: choice('active', 'inactive', 'replaced', 'no_selection'),
    name: localized,
    seoName: localized,
    prescription: boolean,
    writtenRequestByPatient: boolean,
    requiresLegalText: boolean,
    isANutritionSupplement: boolean,
    narcotic: choice('yes', 'no', 'unknown', 'assimilated'),
    biocide: choice('yes', 'no', 'unknown'),
    officialDeletionAt: integer,
    cnk: code,
    supplierReference: code,
    hsCode: code,
    ctiExtended: code,
    nameCti: code,
    conservation: choice('room', 'refrigerator', 'fresh', 'frozen'),
    conservationMin: temperature,
    conservationMax: temperature,
    vat: number,
    publicPrice: integer,
    manufacturerPrice: integer,
    pharmacistPrice: integer,
    refundValueWithOmnio: integer,
    refundValueWithoutOmnio: integer,
    weightWithUnit: measure,
    widthWithUnit: measure,
    lengthWithUnit: measure,
    depthWithUnit: measure,
    packageContent: code,
    packageQuantity: z.union([z.string(), z.number()]).nullish(),
    packagingUnit: text,
    notApplicableField: z.array(z.string()).nullish(),
    atcCategory: z.array(z.string()).nullish(),
    brands: z.array(z.object({ name: localized })).nullish(),
    activeIngredients: z.array(z.object({ id: z.int() })).nullish(),
    deleted: boolean,
    meta: z.object({ createdAt: integer, updatedAt: integer }).nullish(),
  }),
})

const toText = (value) => (value === null || value === undefined ? null : String(value))
const toTime = (seconds) => (seconds === null || seconds === undefined ? null : new Date(seconds * 1000))

/** Every column with its Parquet type, in order. */
const columns = [
  ['id', 'STRING', (product) => product.id],
  ['status', 'STRING', (product) => product.status],
  ['name_nl', 'STRING', (product) => product.name?.nl],
  ['name_fr', 'STRING', (product) => product.name?.fr],
  ['name_en', 'STRING', (product) => product.name?.en],
  ['seo_name_nl', 'STRING', (product) => product.seoName?.nl],
  ['seo_name_fr', 'STRING', (product) => product.seoName?.fr],
  ['seo_name_en', 'STRING', (product) => product.seoName?.en],
  ['prescription', 'BOOLEAN', (product) => product.prescription],
  ['written_request_by_patient', 'BOOLEAN', (product) => product.writtenRequestByPatient],
  ['requires_legal_text', 'BOOLEAN', (product) => product.requiresLegalText],
  ['is_a_nutrition_supplement', 'BOOLEAN', (product) => product.isANutritionSupplement],
  ['narcotic', 'STRING', (product) => product.narcotic],
  ['biocide', 'STRING', (product) => product.biocide],
  ['official_deletion_at', 'TIMESTAMP', (product) => toTime(product.officialDeletionAt)],
  ['cnk', 'STRING', (product) => toText(product.cnk)?.padStart(7, '0')],
  ['supplier_reference', 'STRING', (product) => toText(product.supplierReference)],
  ['hs_code', 'STRING', (product) => toText(product.hsCode)],
  ['cti_extended', 'STRING', (product) => toText(product.ctiExtended)],
  ['name_cti', 'STRING', (product) => toText(product.nameCti)],
  ['conservation', 'STRING', (product) => product.conservation],
  ['conservation_min_celsius', 'DOUBLE', (product) => product.conservationMin?.celsius],
  ['conservation_min_fahrenheit', 'DOUBLE', (product) => product.conservationMin?.fahrenheit],
  ['conservation_min_kelvin', 'DOUBLE', (product) => product.conservationMin?.kelvin],
  ['conservation_max_celsius', 'DOUBLE', (product) => product.conservationMax?.celsius],
  ['conservation_max_fahrenheit', 'DOUBLE', (product) => product.conservationMax?.fahrenheit],
  ['conservation_max_kelvin', 'DOUBLE', (product) => product.conservationMax?.kelvin],
  ['vat', 'DOUBLE', (product) => product.vat],
  ['public_price', 'INT64', (product) => product.publicPrice],
  ['manufacturer_price', 'INT64', (product) => product.manufacturerPrice],
  ['pharmacist_price', 'INT64', (product) => product.pharmacistPrice],
  ['refund_value_with_omnio', 'INT64', (product) => product.refundValueWithOmnio],
  ['refund_value_without_omnio', 'INT64', (product) => product.refundValueWithoutOmnio],
  ['weight_with_unit_value', 'DOUBLE', (product) => product.weightWithUnit?.value],
  ['weight_with_unit_unit', 'STRING', (product) => product.weightWithUnit?.unit],
  ['width_with_unit_value', 'DOUBLE', (product) => product.widthWithUnit?.value],
  ['width_with_unit_unit', 'STRING', (product) => product.widthWithUnit?.unit],
  ['length_with_unit_value', 'DOUBLE', (product) => product.lengthWithUnit?.value],
  ['length_with_unit_unit', 'STRING', (product) => product.lengthWithUnit?.unit],
  ['depth_with_unit_value', 'DOUBLE', (product) => product.depthWithUnit?.value],
  ['depth_with_unit_unit', 'STRING', (product) => product.depthWithUnit?.unit],
  ['package_content', 'STRING', (product) => toText(product.packageContent)],
  ['package_quantity', 'STRING', (product) => toText(product.packageQuantity)],
  ['packaging_unit', 'STRING', (product) => product.packagingUnit],
  ['not_applicable_field', 'LIST STRING', (product) => product.notApplicableField],
  ['atc_category', 'LIST STRING', (product) => product.atcCategory],
  ['brand', 'STRING', (product) => product.brands?.[0]?.name?.nl],
  ['active_ingredient_ids', 'LIST INT64', (product) => product.activeIngredients?.map(({ id }) => id)],
  ['deleted', 'BOOLEAN', (product) => product.deleted],
  ['meta_created_at', 'TIMESTAMP', (product) => toTime(product.meta?.createdAt)],
  ['meta_updated_at', 'TIMESTAMP', (product) => toTime(product.meta?.updatedAt)],
]

const parquetTypes = {
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  BOOLEAN: { type: 'BOOLEAN' },
  INT64: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  TIMESTAMP: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
}

if (output.endsWith('.csv')) await writeCsv()
else await writeParquet()

function writeCsv() {
  return pipeline(
    createReadStream(input, { highWaterMark: 1 << 20 }),
    split2(JSON.parse),
    mapping((line) => {
      const product = lineSchema.parse(line).result
      return columns.map(([, , valueOf]) => valueOf(product))
    }),
    stringify({
      header: true,
      columns: columns.map(([name]) => name),
      cast: {
        string: toCsvText,
        boolean: String,
        date: (value) => value.toISOString().replace('.000', ''),
        object: (list) => toCsvText(list.join('|')),
      },
    }),
    createWriteStream(output),
  )
}

function writeParquet() {
  return pipeline(
    createReadStream(input, { highWaterMark: 1 << 20 }),
    split2(JSON.parse),
    mapping((line) => {
      const product = lineSchema.parse(line).result
      return Object.fromEntries(
        columns.map(([name, type, valueOf]) => {
          const value = valueOf(product)
          return [name, type.endsWith('INT64') ? toBigInts(value) : value]
        }),
      )
    }),
    (products) =>
      parquetWriteRows({
        writer: fileWriter(output),
        rows: products,
        columns: columns.map(([name]) => ({ name })),
        schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(toSchema)],
      }),
  )
}

/** Nothing at all is null, empty text is `""`. */
function toCsvText(value) {
  return value === '' ? { value, quoted_empty: true } : value
}

function mapping(map) {
  return new Transform({
    objectMode: true,
    transform(item, _encoding, done) {
      let mapped
      try {
        mapped = map(item)
      } catch (error) {
        done(error)
        return
      }
      done(null, mapped)
    },
  })
}

function toBigInts(value) {
  if (value === null || value === undefined) return null
  return Array.isArray(value) ? value.map(BigInt) : BigInt(value)
}

function toSchema([name, type]) {
  if (!type.startsWith('LIST ')) return [{ name, repetition_type: 'OPTIONAL', ...parquetTypes[type] }]
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...parquetTypes[type.slice('LIST '.length)] },
  ]
}
