import { anyLocale } from '../contracts/any-locale.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import { compilePath, type ReadPath } from '../records/flatten/read-path.ts'
import { isObject } from '../records/json/json-values.ts'

export type ListedRow = Readonly<Record<string, unknown>>

export interface WantedFile {
  /** Id of the record that lists the file: a product, or the photo itself. */
  readonly record: string
  /** Id of the photo, frontal or leaflet; if it has none, the record's with its position. */
  readonly id: string
  readonly format: string | null
  /** The locale that an image was chosen for or a leaflet is written in. */
  readonly locale: string | null
  readonly url: string | null
}

/** Identifies a file: several records may list one photo. */
export function toFileKey({ id, format, locale }: Pick<WantedFile, 'id' | 'format' | 'locale'>): string {
  return JSON.stringify(format === null ? [id, locale] : [id, format])
}

export type ChooseFiles = (rows: readonly ListedRow[]) => readonly WantedFile[]

type ChoicePlan = Pick<MediaPlan, 'formats' | 'chain' | 'recordColumn'>

/**
 * Compiles the choice of a plan. Without a locale, every row has its files. With one, each format has one file: that of
 * the first locale that has the format, then of the lowest `displayOrder`, as in a column with `locale`.
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

/** A document in each of its locales, or without an address if it has none. */
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
