import { cutStart, widthOf } from '../../text/text-width.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { html, type Html, type HtmlPart } from '../html.ts'
import { type DriftPlace, listPlaces } from '../facts/drift.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'
import type { Drift } from '../../manifest/manifest.ts'

/** Values that became empty or have an unusual form. */
export function renderWrongValues(context: ReportContext): Section | null {
  return renderKinds(valueKinds, context, { id: 'values', title: 'Wrong values' })
}

/** Fields, values and languages that the contract does not list. */
export function renderUnexpected(context: ReportContext): Section | null {
  return renderKinds(unexpectedKinds, context, { id: 'unexpected', title: 'Unexpected' })
}

interface Kind {
  readonly kind: keyof Drift
  readonly title: string
  readonly heading: string
}

const valueKinds: readonly Kind[] = [
  { kind: 'invalidValues', title: 'Values of a wrong type, now empty', heading: 'Field' },
  { kind: 'oddCodes', title: 'Codes that are not of the expected form', heading: 'Field' },
  { kind: 'nullElements', title: 'Nulls among the elements of lists', heading: 'List' },
  { kind: 'duplicateKeys', title: 'Keys that an object has twice: the last one counts', heading: 'Key' },
]

const unexpectedKinds: readonly Kind[] = [
  { kind: 'unknownFields', title: 'Fields that the contract does not list', heading: 'Field' },
  { kind: 'unknownValues', title: 'Values that the contract does not list', heading: 'Value' },
  { kind: 'otherLocales', title: 'Languages without a column', heading: 'Language' },
]

function renderKinds(
  kinds: readonly Kind[],
  { manifest, examples, limits }: ReportContext,
  section: Pick<Section, 'id' | 'title'>,
): Section | null {
  const parts = kinds.flatMap(({ kind, title, heading }) => {
    const showsValues = examples || kind === 'unknownValues'
    const counts = listPlaces(manifest.drift, kind).flatMap((place) => listCounts(place, showsValues))
    return counts.length === 0 ? [] : [renderCounts(title, heading, counts, limits.entries)]
  })
  return parts.length === 0 ? null : { ...section, body: html`${parts}` }
}

type LabelledCount = readonly [label: HtmlPart, count: number]

function listCounts({ path, count, values }: DriftPlace, showsValues: boolean): LabelledCount[] {
  if (values === null) return [[code(path === '' ? '""' : path), count]]
  if (!showsValues) return [[html`${code(path)} <small>${countOf(values.length, 'value')}</small>`, count]]
  return values.map(([value, times]) => [html`${code(path)} = ${code(cut(value))}`, times])
}

function renderCounts(title: string, heading: string, counts: readonly LabelledCount[], most: number): Html {
  const sorted = counts.toSorted(([, one], [, other]) => other - one)
  const { shown, rest } = cutTo(sorted, most, heading.toLowerCase())
  const rows = shown.map(([label, count]) => [label, formatCount(count)])
  return html`<h3>${title}</h3>
    ${table(title, [{ text: heading }, { text: 'Times', isNumber: true }], rows)}${rest}`
}

export function cut(value: string): string {
  return widthOf(value) <= longestValue ? value : `${cutStart(value, longestValue)}…`
}

const longestValue = 40
