import { anyLocale } from '../contracts/any-locale.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import { compilePath, type ReadPath } from '../records/flatten/read-path.ts'
import { isObject } from '../records/json/json-values.ts'

/** A row of a list of photos, frontals or leaflets, as NDJSON has it. */
export type ListedRow = Readonly<Record<string, unknown>>

/** One file that a record asks for. */
export interface WantedFile {
  /** The record that it belongs to: a product, or the photo itself. */
  readonly record: string
  /** The photo, frontal or leaflet; where it has no id, the record's with its position. */
  readonly id: string
  /** `hugeWebp`; null for leaflets. */
  readonly format: string | null
  /** The locale that it was chosen for, or that a leaflet is in. */
  readonly locale: string | null
  /** As it was delivered; null if there is none. */
  readonly url: string | null
}

/** Files are the same where these are: several records may have one photo. */
export function toFileKey({ id, format, locale }: Pick<WantedFile, 'id' | 'format' | 'locale'>): string {
  return JSON.stringify(format === null ? [id, locale] : [id, format])
}

/** A choice of files among the rows of one record. */
export type ChooseFiles = (rows: readonly ListedRow[]) => readonly WantedFile[]

type ChoicePlan = Pick<MediaPlan, 'formats' | 'chain' | 'recordColumn'>

/**
 * Compiles the choice of a plan. Without a locale every row has its files; with one, of each format the file of the first
 * locale that has it, then of the lowest `displayOrder`, as a column with `locale` takes it.
 */
export function compileChoice(plan: ChoicePlan, locales: readonly string[]): ChooseFiles {
  const toItem = (row: ListedRow): Item => createItem(row, plan.recordColumn)
  const choose = plan.formats === null ? compileDocuments(plan, locales) : compileImages(plan.formats, plan)
  return (rows) => choose(rows.map(toItem))
}

interface Item {
  readonly record: string
  readonly id: string
  readonly row: ListedRow
  readonly locales: unknown
  readonly displayOrder: unknown
}

function createItem(row: ListedRow, recordColumn: string): Item {
  const { item_id: id, locales, display_order: displayOrder, position } = row
  const record = toText(row[recordColumn])
  return { record, id: id === null ? `${record}-${toText(position)}` : toText(id), row, locales, displayOrder }
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function compileImages(formats: NonNullable<MediaPlan['formats']>, { chain }: ChoicePlan) {
  const pick: ReadPath | null = chain && compilePath([{ kind: 'choose', by: 'element', ...chain, where: [] }])
  return (items: readonly Item[]): WantedFile[] =>
    formats.flatMap(({ name, column }) => {
      const files = items.map((item) => ({ ...item, url: toAddress(item.row[column]) }))
      if (pick === null || chain === null)
        return files.map(({ record, id, url }) => ({ record, id, format: name, locale: null, url }))
      const [first] = files
      const chosen = pick(files.filter(({ url }) => url !== null)) as (typeof files)[number] | null
      const file = chosen ?? first
      if (file === undefined) return []
      const locale = chosen === null ? null : findLocale(chosen.locales, chain.locales)
      return [{ record: file.record, id: file.id, format: name, locale, url: chosen?.url ?? null }]
    })
}

/** The first of these that an element suits. */
function findLocale(suited: unknown, locales: readonly string[]): string | null {
  return Array.isArray(suited) ? (locales.find((locale) => suited.includes(locale)) ?? null) : null
}

function compileDocuments({ chain }: ChoicePlan, locales: readonly string[]) {
  const steps =
    chain &&
    ([{ kind: 'choose', by: 'value', ...chain, where: [] }, field('url'), { kind: 'locale', ...chain }] as const)
  const pick: ReadPath | null = steps && compilePath(steps)
  return (items: readonly Item[]): WantedFile[] => {
    const documents = items.map((item) => ({ ...item, url: isObject(item.row['url']) ? item.row['url'] : {} }))
    if (pick === null) return documents.flatMap((document) => listLocales(document, locales))
    const url = toAddress(pick(documents))
    const chosen = documents.find((document) => Object.values(document.url).includes(url)) ?? documents[0]
    if (chosen === undefined) return []
    const locale = url === null ? null : (Object.keys(chosen.url).find((name) => chosen.url[name] === url) ?? null)
    return [{ record: chosen.record, id: chosen.id, format: null, locale: toLocale(locale), url }]
  }
}

function field(name: string) {
  return { kind: 'field', name } as const
}

/** A document in each of the locales that it is in, or without an address. */
function listLocales(
  { record, id, url }: Item & { readonly url: Record<string, unknown> },
  locales: readonly string[],
): WantedFile[] {
  const found = [...locales, anyLocale].flatMap((locale) => {
    const address = toAddress(url[locale])
    return address === null ? [] : [{ record, id, format: null, locale: toLocale(locale), url: address }]
  })
  return found.length > 0 ? found : [{ record, id, format: null, locale: null, url: null }]
}

function toLocale(key: string | null): string | null {
  return key === anyLocale ? null : key
}

function toAddress(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
