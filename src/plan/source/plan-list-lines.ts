import { unwrapCode } from '../../codes/code-text.ts'
import { canonical, schemeOf } from '../../codes/schemes.ts'
import type { FilterValue } from '../../service/endpoints/filter-values.ts'
import { repairIdentifier } from '../../service/endpoints/repair-identifier.ts'
import type { Problem } from '../../config/problem.ts'
import type { CsvRow } from '../../sources/csv-table.ts'
import { checkKept, type KeptColumn, planKept } from './keep-columns.ts'
import { formatCell, formatLines, type ListFault, parseListTable, type WantedColumn } from './parse-list.ts'
import { type PlannedListKey, planListKey } from './plan-list-key.ts'
import type { ListContent } from './read-list.ts'
import type { IdentifierFile, PlannedSourceIds, SourceIdsConfig, SourceIdsOptions } from './plan-source-ids.ts'
import type { ListCode, ListedIdentifier, ListLine, MatchedKey, MatchedList } from './source-ids-plan.ts'

/** Whether the lines of a list are matched one by one: it has several keys, or rows get columns of it or its order. */
export function isMatched({ columns, keep, order }: SourceIdsConfig): boolean {
  return columns !== undefined || keep !== undefined || order !== undefined
}

interface WantedKey extends WantedColumn {
  readonly field: string
  readonly planned: PlannedListKey
}

/** Plans a list whose lines are matched one by one. Of a list that can't be read `content` is null. */
export function planListLines(
  config: SourceIdsConfig,
  context: Pick<SourceIdsOptions, 'source' | 'extra'>,
  content: ListContent | null,
  toProblem: (fault: ListFault) => Problem,
): PlannedSourceIds {
  const keys = listKeys(config).map(({ field, column, path }): WantedKey => {
    return { field, column, path, planned: planListKey({ ...config, field }, context, ['sourceIds', ...path]) }
  })
  const kept = (config.keep ?? []).map((each, at) => planKept(each, ['sourceIds', 'keep', at]))
  const problems = [
    ...checkKeys(config),
    ...keys.flatMap(({ planned }) => planned.problems),
    ...kept.filter((each) => 'message' in each),
  ]
  const notes = keys.flatMap(({ planned }) => planned.notes)
  const named = (config.keep ?? []).map((each, at): WantedColumn => {
    return { column: typeof each === 'object' ? each.column : each, path: ['keep', at] }
  })
  if (content === null) return { list: null, problems, notes }
  const parsed = parseListTable(content, [...keys, ...named], config)
  if ('fault' in parsed) return { list: null, problems: [...problems, toProblem(parsed.fault)], notes }
  if (problems.length > 0) return { list: null, problems, notes }
  const columns = kept as KeptColumn[]
  const list = takeLines(config, keys, columns, parsed.rows)
  const wrong = columns.flatMap((each, at) => checkKept(each, parsed.rows, keys.length + at, ['sourceIds', 'keep', at]))
  const empty = list.identifiers.length === 0 ? [toProblem(noCode)] : []
  const bad =
    config.badIdentifiers === 'error' ? list.matched.keys.flatMap((_, at) => checkBad(list, at, toProblem)) : []
  const found = [...wrong, ...empty, ...bad]
  return { list: found.length > 0 ? null : list, problems: found, notes }
}

const noCode: ListFault = { path: ['file'], message: 'expected at least one identifier, got none' }

function listKeys({ columns, field, column }: SourceIdsConfig): (WantedColumn & { readonly field: string })[] {
  if (columns === undefined)
    return [{ field: field ?? String(column ?? ''), column, path: [field === undefined ? 'column' : 'field'] }]
  return Object.entries(columns).map(([name, each]) => ({ field: name, column: each, path: ['columns', name] }))
}

function checkKeys({ columns, column, field, length }: SourceIdsConfig): Problem[] {
  if (columns === undefined) return []
  return Object.entries({ column, field, length }).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            path: ['sourceIds', key],
            atKey: true as const,
            message: `${key}: expected either it or columns, got both`,
          },
        ],
  )
}

type LinesFile = IdentifierFile & { readonly matched: MatchedList }

function takeLines(
  config: SourceIdsConfig,
  keys: readonly WantedKey[],
  kept: readonly KeptColumn[],
  rows: readonly CsvRow[],
): LinesFile {
  const items = keys.map(({ planned }) => planned.key?.item)
  const lines = rows.map(({ line, cells }): ListLine => {
    const codes = keys.map(({ field }, at) => toCode(cells[at] ?? '', field, items[at], config.length))
    return { line, codes, kept: kept.map(({ read }, at) => read(cells[keys.length + at] ?? '') ?? null) }
  })
  const matchedKeys = keys.map(({ field }, at): MatchedKey => {
    return { field, expected: items[at]?.accepts ?? '', identifiers: listIdentifiers(lines, at) }
  })
  const order = config.order ?? (config.keep === undefined ? 'source' : 'list')
  const identifiers = matchedKeys.flatMap((key) => key.identifiers)
  const matched = { keys: matchedKeys, lines, kept: kept.map(({ column }) => column), order }
  return { counts: toCounts(config, keys, lines, identifiers), identifiers, matched }
}

function toCode(cell: string, field: string, item: FilterValue | undefined, length: number | undefined): ListCode {
  const text = unwrapCode(cell)
  if (item === undefined || text === '' || text.toLowerCase() === 'null') return { written: '', code: null }
  const scheme = schemeOf(field)
  const isCode = scheme === null || canonical(scheme, text) !== null
  return { written: cell.trim(), code: (isCode ? repairIdentifier(text, item, length) : undefined) ?? null }
}

/** The codes of a key without repeats, in the order of the list. */
function listIdentifiers(lines: readonly ListLine[], key: number): ListedIdentifier[] {
  const byCode = new Map<string | number, ListedIdentifier>()
  for (const { line, codes } of lines) {
    const { code = null, written = '' } = codes[key] ?? {}
    if (code !== null && !byCode.has(code)) byCode.set(code, { code, line, written })
  }
  return [...byCode.values()]
}

function toCounts(
  { file, columns }: SourceIdsConfig,
  keys: readonly WantedKey[],
  lines: readonly ListLine[],
  identifiers: readonly ListedIdentifier[],
): IdentifierFile['counts'] {
  const cells = lines.flatMap(({ codes }) => codes)
  const bad = cells.filter(({ written, code }) => written !== '' && code === null).length
  const asked = lines
    .map(({ codes }) => codes.map(({ code }) => code))
    .filter((codes) => codes.some((code) => code !== null))
  const distinct = new Set(asked.map((codes) => JSON.stringify(codes)))
  return {
    file,
    column: columns === undefined ? (keys[0]?.column ?? null) : null,
    field: keys.map(({ field }) => field).join(', '),
    ...(columns && { columns }),
    rows: lines.length,
    identifiers: identifiers.length,
    repaired: identifiers.filter(({ code, written }) => String(code) !== written).length,
    repeated: asked.length - distinct.size,
    empty: lines.filter(({ codes }) => codes.every(({ written }) => written === '')).length,
    ...(bad > 0 && { bad }),
  }
}

function checkBad({ matched }: LinesFile, key: number, toProblem: (fault: ListFault) => Problem): Problem[] {
  const bad = matched.lines.flatMap(({ line, codes }) => {
    const { written = '', code = null } = codes[key] ?? {}
    return written !== '' && code === null ? [`${formatCell(written)} in line ${line}`] : []
  })
  if (bad.length === 0) return []
  const message = `expected ${matched.keys[key]?.expected} in every row, got ${formatLines(bad)}`
  return [toProblem({ path: ['file'], message })]
}
