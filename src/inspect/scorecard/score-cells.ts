import { barCodes } from '../questions/code-questions.ts'
import type { LocalizedColumn, Records } from '../questions/catalogue.ts'
import { findImage, type ImageKind, imageKinds } from '../questions/image-kinds.ts'
import { findDescriptions } from '../questions/missing-questions.ts'

/** What a product may have: a field, in a locale, or a kind of image. */
export interface ScoreCell {
  /** The heading that it is below. */
  readonly topic: string
  /** Below the heading: a locale, a code, a kind of image. */
  readonly label: string
  /** True for what each product should have. The others are shown, but no product is worse without. */
  readonly isScored: boolean
  /** SQL that is true if the product has it. */
  readonly sql: string
}

/** What the published tables can tell of a product, in the order of the page. */
export function listScoreCells(records: Records): ScoreCell[] {
  return [
    ...toCells('Name', records.localized('name')),
    ...toCells('Short description', records.localized('shortDescription')),
    ...toCells('Description', tryDescriptions(records)),
    ...listFacts(records),
    ...imageKinds.flatMap((kind) => listImages(records, kind)),
  ]
}

function toCells(topic: string, columns: readonly LocalizedColumn[]): ScoreCell[] {
  return columns.map(({ locale, sql }) => {
    return { topic, label: locale === '' ? 'any locale' : locale, isScored: true, sql: `${sql} IS NOT NULL` }
  })
}

function tryDescriptions(records: Records): readonly LocalizedColumn[] {
  return records.child('descriptions[]') === null ? [] : findDescriptions(records)
}

function listFacts(records: Records): ScoreCell[] {
  const facts = [
    ['price', records.find('publicPrice')],
    ['CNK', records.find('cnk')],
  ] as const
  const topic = 'Price and codes'
  const found = facts.flatMap(([label, column]) => {
    return column === null ? [] : [{ topic, label, isScored: true, sql: `${column} IS NOT NULL` }]
  })
  const codes = barCodes(records).map((code) => `${code} IS NOT NULL`)
  const bar = codes.length === 0 ? [] : [{ topic, label: 'bar code', isScored: true, sql: `(${codes.join(' OR ')})` }]
  return [...found, ...bar]
}

function listImages(records: Records, kind: ImageKind): ScoreCell[] {
  const name = kind.replace('_image', '')
  const topic = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const isScored = kind === 'packshot'
  return [undefined, ...records.catalogue.locales].flatMap((locale) => {
    const sql = findImage(records, kind, locale)
    return sql === null ? [] : [{ topic, label: locale ?? 'any', isScored, sql }]
  })
}
