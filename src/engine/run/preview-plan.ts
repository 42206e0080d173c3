import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { Readable } from 'node:stream'
import { newToken } from '../frame.ts'
import { closest, listChoices } from '../../text/choices.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { formatColumnType } from '../../types/column-types.ts'
import type { Column, Row } from '../../records/flatten/column.ts'
import type { BlockOutcome } from '../../records/block-outcome.ts'
import { withFeeds } from '../../kernel/encode/feed-tables.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { compileProcessing } from '../../records/process-block.ts'
import { createNdjsonEncoder } from '../../formats/ndjson.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { openSources } from '../reading/open-sources.ts'
import { LineReader } from '../reading/read-lines.ts'

export interface PreviewTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** As in NDJSON. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface Preview {
  readonly tables: readonly PreviewTable[]
  readonly rejects: readonly string[]
}

export interface PreviewOptions extends RequiredContext<'signal'>, Pick<RunContext, 'env'> {
  readonly rows: number
  readonly table?: string | undefined
  readonly stdin: Readable
}

const mostLines = 1000

/** Reads the first rows of each table, from at most a thousand lines. Writes nothing. */
export async function previewPlan(
  plan: PipelinePlan,
  { rows, table, stdin, signal, env }: PreviewOptions,
): Promise<Preview> {
  const { tables } = plan.records
  checkTable(plan.name, plan.records, table)
  const found: Row[][] = tables.map(() => [])
  const rejects: string[] = []
  const { sources, close } = await openSources(plan, { stdin, env, token: newToken() })
  const process = compileProcessing(withFeeds(plan.records))
  const reader = new LineReader(sources, {
    process: (block) => process(block),
    mostLines: mostLinesOf(plan.records),
    parts: false,
    limit: mostLines,
    signal,
  })
  try {
    await collect(reader, found, rejects, tables.some(({ builtin }) => builtin) ? mostLines : rows)
  } finally {
    await close()
  }
  const computed = await Promise.all(tables.map((each, at) => compute(each, found[at] ?? [])))
  return {
    tables: tables.flatMap((each, at) =>
      table === undefined || table === each.name ? [toPreviewTable(each, (computed[at] ?? []).slice(0, rows))] : [],
    ),
    rejects,
  }
}

/** The rows of a built-in table over those lines alone. */
async function compute({ builtin, columns }: TablePlan, rows: readonly Row[]): Promise<readonly Row[]> {
  if (builtin === undefined) return rows
  const { openComputation } = await import('../builtin/computations.ts')
  const { readComputedRows } = await import('../builtin/computed-encoder.ts')
  const computation = openComputation(builtin)
  for (const row of toObjects(builtin.feed, rows)) computation.add(row)
  return [...computation.compute()].flatMap((lines) => readComputedRows(lines, columns))
}

export function toPreviewTable(
  { name, columns }: { readonly name: string; readonly columns: readonly Column[] },
  rows: readonly Row[],
): PreviewTable {
  return { name, columns: columns.map(toPreviewColumn), rows: toObjects(columns, rows) }
}

function toPreviewColumn(column: Column): PreviewTable['columns'][number] {
  return { name: column.name, type: formatColumnType(column) }
}

async function collect(
  reader: LineReader<BlockOutcome>,
  found: Row[][],
  rejects: string[],
  rows: number,
): Promise<void> {
  for await (const { outcome } of reader.blocks()) {
    for (const [at, own] of found.entries()) own.push(...(outcome.rows[at] ?? []).slice(0, rows - own.length))
    for (const { issues } of outcome.rejects)
      rejects.push(`${issues[0]?.path ?? ''} ${issues[0]?.message ?? ''}`.trim())
    if (found.every((own) => own.length >= rows)) break
  }
}

/** Throws USAGE for a table that the config does not have. */
export function checkTable(name: string, records: RecordsPlan, table: string | undefined): void {
  const names = records.tables.map((each) => each.name)
  if (table === undefined || names.includes(table)) return
  const suggestion = closest(table, names)
  const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new CatalogueError('USAGE', `${name}: expected one of ${listChoices(names)}, got --table "${table}"${hint}`)
}

function toObjects(columns: readonly Column[], rows: readonly Row[]): Record<string, unknown>[] {
  const text = Buffer.from(createNdjsonEncoder(columns)(rows)).toString()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
