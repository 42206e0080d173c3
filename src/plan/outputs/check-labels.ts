import type { Sections } from '../../config/check-sections.ts'
import type { FileOutputConfig } from '../../config/schemas/output-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { toHeaderColumns } from '../../records/flatten/column.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { closest, listChoices } from '../../text/choices.ts'
import { specLocales } from '../locales.ts'
import { toMode } from './output-mode.ts'

/** Problems of an output whose header has labels: no header, rows of several runs, two columns under one label. */
export function checkLabels(
  output: FileOutputConfig,
  tables: readonly Pick<TablePlan, 'name' | 'columns'>[],
  isIncremental: boolean,
  at: Problem['path'],
): Problem[] {
  if (!('labels' in output) || output.labels === undefined) return []
  const { labels } = output
  const path = [...at, 'labels']
  const mode = output.format === 'csv' ? toMode(output, isIncremental) : 'snapshot'
  if (mode !== 'snapshot') {
    const message = `labels: expected only with mode: snapshot, as later runs read these files by the names of columns, got it with ${mode}`
    return [problemAt(path, message)]
  }
  if (output.format === 'csv' && !output.header)
    return [problemAt(path, 'labels: expected only with a header, got header: false')]
  return tables.flatMap(({ name, columns }) => {
    const header = toHeaderColumns(columns, labels).map((column) => column.name)
    return findEqual(header).map(([first, second]) => {
      const message = `labels: expected each header once in table "${name}", got "${header[second]}" for ${columns[first]?.name} and ${columns[second]?.name}`
      return problemAt(path, message)
    })
  })
}

/** Pairs of a text and the first that equals it. Case does not matter, as it does not for many readers. */
function findEqual(texts: readonly string[]): (readonly [first: number, second: number])[] {
  const lower = texts.map((text) => text.toLowerCase())
  return lower.flatMap((text, at) => (lower.indexOf(text) < at ? [[lower.indexOf(text), at] as const] : []))
}

/** Finds labels in locales that are neither of the config nor of the specification. */
export function checkLabelLocales({ outputs, tables, sourceIds }: Sections, locales: readonly string[]): Problem[] {
  const known = [...new Set([...locales, ...specLocales])]
  const check = (locale: string, place: Omit<Problem, 'message'>): Problem[] => {
    if (known.includes(locale)) return []
    const message = `unknown locale "${locale}", expected one of ${listChoices(known)}`
    return [{ ...problemAt(place.path, message, closest(locale, known)), ...place }]
  }
  const ofEntry = (entry: unknown, path: Problem['path']): Problem[] => {
    const label = typeof entry === 'object' && entry !== null && 'label' in entry ? entry.label : undefined
    if (typeof label !== 'object' || label === null) return []
    return Object.keys(label).flatMap((locale) => check(locale, { path: [...path, 'label', locale], atKey: true }))
  }
  return [
    ...Object.entries(tables ?? {}).flatMap(([name, { columns }]) =>
      columns === 'all' ? [] : columns.flatMap((entry, at) => ofEntry(entry, ['tables', name, 'columns', at])),
    ),
    ...(sourceIds?.keep ?? []).flatMap((entry, at) => ofEntry(entry, ['sourceIds', 'keep', at])),
    ...(outputs ?? []).flatMap((output, at) =>
      'labels' in output && output.labels !== undefined
        ? check(output.labels, { path: ['outputs', at, 'labels'] })
        : [],
    ),
  ]
}
