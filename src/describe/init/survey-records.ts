import type { Field } from '../../contracts/fields.ts'

export interface RecordSurvey {
  /** Number of records with a text in each locale, spelled as delivered. */
  readonly locales: ReadonlyMap<string, number>
  /** Total number of elements by path of a list of objects: `photos[].organizations[]`. */
  readonly elements: ReadonlyMap<string, number>
}

export function surveyRecords(records: readonly unknown[], fields: ReadonlyMap<string, Field>): RecordSurvey {
  const locales = new Map<string, number>()
  const elements = new Map<string, number>()
  for (const record of records) {
    const seen: Seen = { locales: new Set(), elements }
    surveyMembers(record, fields, '', seen)
    for (const locale of seen.locales) locales.set(locale, (locales.get(locale) ?? 0) + 1)
  }
  return { locales, elements }
}

interface Seen {
  readonly locales: Set<string>
  readonly elements: Map<string, number>
}

function surveyMembers(value: unknown, fields: ReadonlyMap<string, Field>, prefix: string, seen: Seen): void {
  if (!isMap(value)) return
  for (const [name, field] of fields) {
    const member = value[name]
    if (member !== undefined && member !== null) surveyField(member, field, prefix + name, seen)
  }
}

function surveyField(value: unknown, field: Field, path: string, seen: Seen): void {
  switch (field.kind) {
    case 'object':
      return surveyMembers(value, field.fields, `${path}.`, seen)
    case 'list':
      return surveyList(value, field.element, `${path}[]`, seen)
    case 'localized':
      return surveyLocales(value, field.element, path, seen)
    case 'scalar':
  }
}

function surveyList(value: unknown, element: Field, path: string, seen: Seen): void {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (element.kind === 'object') seen.elements.set(path, (seen.elements.get(path) ?? 0) + items.length)
  for (const item of items) surveyField(item, element, path, seen)
}

function surveyLocales(value: unknown, element: Field, path: string, seen: Seen): void {
  if (!isMap(value)) return
  for (const [locale, text] of Object.entries(value)) {
    if (text === null || text === '') continue
    seen.locales.add(locale)
    surveyField(text, element, path, seen)
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
