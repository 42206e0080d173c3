import type { FilterValue } from '../../service/endpoints/filter-values.ts'
import { unwrapCode } from '../../codes/code-text.ts'
import { repairIdentifier } from '../../service/endpoints/repair-identifier.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { ExtraFields } from '../../contracts/extended/extra-fields.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import type { BadIdentifier, ListedIdentifier, MatchedList } from './source-ids-plan.ts'
import { formatCell, formatLines, type ListEntry, type ListFault, parseList } from './parse-list.ts'
import { isMatched, planListLines } from './plan-list-lines.ts'
import { type ListKey, planListKey } from './plan-list-key.ts'
import { type ListContent, type ReadListBytes, readList } from './read-list.ts'
import type { SourceIdsSummary } from '../../manifest/manifest.ts'

export type SourceIdsConfig = NonNullable<CompletePipelineConfig['sourceIds']>

export interface SourceIdsOptions {
  readonly source: CompletePipelineConfig['source'] | null
  readonly extra?: ExtraFields | undefined
  /** True if parts of `sourceIds` are invalid and left out; then only the path of the list is checked. */
  readonly isFaulty: boolean
  readonly readListBytes?: ReadListBytes | undefined
}

export interface IdentifierFile {
  readonly counts: Omit<SourceIdsSummary, 'requests'>
  readonly identifiers: readonly ListedIdentifier[]
  readonly bad?: readonly BadIdentifier[]
  readonly matched?: MatchedList
}

export interface PlannedSourceIds {
  readonly list: IdentifierFile | null
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
}

/** Reads a list of identifiers and checks it against its filter key. */
export function planSourceIds(config: SourceIdsConfig, options: SourceIdsOptions): PlannedSourceIds {
  const { source, extra, isFaulty, readListBytes } = options
  // A missing variable is reported separately.
  if (isFaulty && config.file.includes('${')) return { list: null, problems: [], notes: [] }
  const read = readList(config.file, { sheet: config.sheet, readBytes: readListBytes })
  const unread = 'fault' in read ? [atFile(config, read.fault)] : []
  if (isFaulty) return { list: null, problems: unread, notes: [] }
  if (isMatched(config)) {
    const content = 'fault' in read ? null : read
    const { list, problems, notes } = planListLines(config, { source, extra }, content, (fault) =>
      atFault(config, fault),
    )
    return { list, problems: [...problems, ...checkDelimiter(config), ...unread], notes }
  }
  const { key, problems, notes } = planListKey(config, { source, extra }, placeOf(config))
  const known = [...problems, ...checkDelimiter(config), ...unread]
  if ('fault' in read) return { list: null, problems: known, notes }
  const { list, problems: found } = takeList(config, key, read)
  // The name of a missing column is not checked as a filter key too.
  const isMisnamed = config.field === undefined && found.some(({ path }) => path[1] === 'column')
  const others = isMisnamed ? known.filter(({ path }) => path[1] !== 'field') : known
  return { list, problems: [...others, ...found], notes }
}

function placeOf({ field }: SourceIdsConfig): Problem['path'] {
  return ['sourceIds', field === undefined ? 'column' : 'field']
}

function checkDelimiter({ delimiter, column, columns }: SourceIdsConfig): Problem[] {
  if (delimiter === undefined || column !== undefined || columns !== undefined) return []
  return [problemAt(['sourceIds', 'delimiter'], 'delimiter: expected only beside column, which says that it is CSV')]
}

type TakenList = Omit<PlannedSourceIds, 'notes'>

function takeList(config: SourceIdsConfig, key: ListKey | null, content: ListContent): TakenList {
  const parsed = parseList(content, config)
  if ('entries' in parsed) return key === null ? failed() : takeEntries(config, key, parsed.entries)
  return failed(atFault(config, parsed.fault))
}

function takeEntries(config: SourceIdsConfig, { field, item }: ListKey, entries: readonly ListEntry[]): TakenList {
  const { file, column, length, badIdentifiers } = config
  // The name of the filter key in the first line is a header, even if it looks like an identifier.
  const isHeader = column === undefined && entries[0]?.written.trim().toLowerCase() === field.toLowerCase()
  const header = isHeader ? entries.slice(0, 1) : []
  const { identifiers, empty, repeated, invalid } = takeIdentifiers(entries.slice(header.length), item, length)
  const isReported = badIdentifiers === 'report' && header.length === 0
  if (header.length + invalid.length > 0 && !isReported)
    return failed(
      wrongEntries(config, item, [...header, ...invalid], { isHeader, isFirst: invalid[0]?.line === entries[0]?.line }),
    )
  if (identifiers.length === 0) {
    const got = entries.length === 0 ? 'no row' : invalid.length > 0 ? 'none' : 'empty rows only'
    return failed(atFile(config, `expected at least one identifier, got ${got}`))
  }
  const repaired = identifiers.filter(({ code, written }) => String(code) !== written).length
  const counts = { rows: entries.length, identifiers: identifiers.length, repaired, repeated, empty }
  const bad = invalid.map((entry) => ({ ...entry, expected: formatExpected(config, item) }))
  const summary = { file, column: column ?? null, field, ...counts, ...(bad.length > 0 && { bad: bad.length }) }
  return { list: { counts: summary, identifiers, ...(bad.length > 0 && { bad }) }, problems: [] }
}

function formatExpected({ length }: SourceIdsConfig, { accepts }: FilterValue): string {
  return accepts + (length === undefined ? '' : `, here of at most ${length} characters`)
}

function wrongEntries(
  config: SourceIdsConfig,
  item: FilterValue,
  wrong: readonly ListEntry[],
  { isHeader, isFirst }: { readonly isHeader: boolean; readonly isFirst: boolean },
): Problem {
  const { column } = config
  const isCsv = column === undefined && (isHeader || wrong.some(({ written }) => /[,;\t]/.test(written)))
  const isNamed = typeof column === 'number' && isFirst && !/\d/.test(wrong[0]?.written ?? '')
  const hint = isCsv
    ? '; of a CSV file, name the column with column:'
    : isNamed
      ? '; of a list with a header, give the name of its column, not its number'
      : ''
  const got = formatLines(wrong.map(({ line, written }) => `${formatCell(written)} in line ${line}`))
  return atFile(config, `expected ${formatExpected(config, item)} in every row, got ${got}${hint}`)
}

function failed(...problems: Problem[]): TakenList {
  return { list: null, problems }
}

function atFault(config: SourceIdsConfig, { path, message, suggestion }: ListFault): Problem {
  if (path[0] === 'file') return atFile(config, message)
  return problemAt(['sourceIds', ...path], `${path.at(-1)}: ${message}`, suggestion)
}

function atFile({ file }: SourceIdsConfig, message: string): Problem {
  return problemAt(['sourceIds', 'file'], `${formatCell(file)}: ${message}`)
}

/** `entries = identifiers + repeated + empty + invalid`. */
interface TakenIdentifiers {
  /** Without repeats, in the order of the list. */
  readonly identifiers: readonly ListedIdentifier[]
  readonly empty: number
  readonly repeated: number
  readonly invalid: readonly ListEntry[]
}

/** Takes the identifiers of a list: repairs them if that is unambiguous, and drops repeats. */
function takeIdentifiers(
  entries: readonly ListEntry[],
  item: FilterValue,
  length: number | undefined,
): TakenIdentifiers {
  const byCode = new Map<string | number, ListedIdentifier>()
  const invalid: ListEntry[] = []
  let empty = 0
  let repeated = 0
  for (const entry of entries) {
    const code = repairIdentifier(entry.written, item, length)
    if (unwrapCode(entry.written) === '') empty++
    else if (code === undefined) invalid.push(entry)
    else if (byCode.has(code)) repeated++
    else byCode.set(code, { code, ...entry })
  }
  return { identifiers: [...byCode.values()], empty, repeated, invalid }
}
