import { cutStart, widthOf } from '../../text/text-width.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { html, type Html, type HtmlPart } from '../html.ts'
import { code, cutTo, table } from '../parts.ts'
import type { ReportContext, Section } from './section.ts'

/** Findings beyond the contract, with their counts. */
export function renderDrift({ manifest, examples, limits }: ReportContext): Section | null {
  const { drift } = manifest
  const show = examples ? undefined : hideValues
  const parts = [
    renderCounts('Fields that the contract does not list', 'Field', drift.unknownFields),
    renderCounts('Values that the contract does not list', 'Value', flatten(drift.unknownValues)),
    renderCounts('Values of a wrong type that became null', 'Field', flatten(drift.invalidValues, show)),
    renderCounts('Codes that are not of the expected form', 'Field', flatten(drift.oddCodes, show)),
    renderCounts('Nulls among the elements of lists', 'List', drift.nullElements),
    renderCounts('Keys that an object has twice: the last one counts', 'Key', drift.duplicateKeys),
    renderCounts('Locales without a column', 'Locale', drift.otherLocales),
  ].flatMap((part) => part?.(limits.entries) ?? [])
  return parts.length === 0 ? null : { id: 'drift', title: 'Beyond the contract', body: html`${parts}` }
}

type Counts = readonly (readonly [label: HtmlPart, count: number])[]

function renderCounts(
  title: string,
  heading: string,
  counts: Readonly<Record<string, number>> | Counts,
): ((most: number) => Html) | null {
  const all: Counts = isList(counts)
    ? counts
    : Object.entries(counts).map(([name, count]) => [code(name === '' ? '""' : name), count])
  if (all.length === 0) return null
  const sorted = all.toSorted(([, a], [, b]) => b - a)
  return (most) => {
    const { shown, rest } = cutTo(sorted, most, heading.toLowerCase())
    const rows = shown.map(([label, count]) => [label, formatCount(count)])
    return html`<h3>${title}</h3>
      ${table(title, [{ text: heading }, { text: 'Times', isNumber: true }], rows)}${rest}`
  }
}

function isList(counts: Readonly<Record<string, number>> | Counts): counts is Counts {
  return Array.isArray(counts)
}

type ValueCounts = Readonly<Record<string, Readonly<Record<string, number>>>>

function flatten(
  counts: ValueCounts,
  show: (path: string, values: Readonly<Record<string, number>>) => Counts = showValues,
): Counts {
  return Object.entries(counts).flatMap(([path, values]) => show(path, values))
}

function showValues(path: string, values: Readonly<Record<string, number>>): Counts {
  return Object.entries(values).map(([value, count]) => [html`${code(path)} = ${code(cut(value))}`, count])
}

/** The path alone, with the number of its values. */
function hideValues(path: string, values: Readonly<Record<string, number>>): Counts {
  const counts = Object.values(values)
  const times = counts.reduce((sum, count) => sum + count, 0)
  return [[html`${code(path)} <small>${countOf(counts.length, 'value')}</small>`, times]]
}

/** A value as it is shown in a list. */
export function cut(value: string): string {
  return widthOf(value) <= longestValue ? value : `${cutStart(value, longestValue)}…`
}

const longestValue = 40
