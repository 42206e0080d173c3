import type { RequiredContext } from '../../run-context.ts'
import { compileOutcome } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { compileLineProcessing, type RecordPlan } from '../../records/process-block.ts'
import { linesOf } from '../../records/raw-line.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { Source } from '../../sources/source.ts'
import { readBlocks } from './read-blocks.ts'

/** A line by the number of its block, over all sources, and its number there; both from 0. */
export interface LinePosition {
  readonly block: number
  readonly line: number
}

export interface OlderVersionsOptions extends RequiredContext<'signal'> {
  readonly records: RecordPlan
  /** The table with a row a record that says in `updated_at` when it was last changed. */
  readonly recordTable: TablePlan
}

/**
 * Chooses between versions of one record that came in one read: the one with the latest cursor stays, of equal cursors the
 * last one. A version without a cursor is older than any other. Gives the lines of all others. The sources are read once
 * more where there is such a record, and only the lines of its versions are parsed.
 */
export async function listOlderVersions(
  records: Iterable<readonly LinePosition[]>,
  sources: readonly Source[],
  options: OlderVersionsOptions,
): Promise<LinePosition[]> {
  const groups = [...records]
  if (groups.length === 0) return []
  const cursors = await readCursors(groups.flat(), sources, options)
  return groups.flatMap((versions) => {
    const readable = versions.filter((version) => cursors.has(toKey(version)))
    const latest = chooseLatest(readable, (version) => cursors.get(toKey(version)) ?? Number.NEGATIVE_INFINITY)
    return readable.filter((version) => version !== latest)
  })
}

/** `versions` come in the order of the lines. */
function chooseLatest<Version>(versions: readonly Version[], cursorOf: (version: Version) => number): Version | null {
  let latest: Version | null = null
  for (const version of versions) if (latest === null || cursorOf(version) >= cursorOf(latest)) latest = version
  return latest
}

/** The cursors of lines, in milliseconds or null; none of lines whose cursor can't be held by a column: they are rejected. */
async function readCursors(
  lines: readonly LinePosition[],
  sources: readonly Source[],
  { records, recordTable, signal }: OlderVersionsOptions,
): Promise<Map<string, number | null>> {
  const wanted = new Map<number, Set<number>>()
  for (const { block, line } of lines) wanted.set(block, (wanted.get(block) ?? new Set()).add(line))
  const readCursor = compileCursor(records, recordTable)
  const cursors = new Map<string, number | null>()
  for await (const { block, blockNumber } of readBlocks(sources, {
    mostLines: mostLinesOf(records),
    limit: null,
    signal,
  })) {
    if (block === null) continue
    for (const [line, cursor] of readCursor(block, wanted.get(blockNumber)))
      cursors.set(toKey({ block: blockNumber, line }), cursor)
    block.release?.()
  }
  signal.throwIfAborted()
  return cursors
}

function compileCursor(records: RecordPlan, recordTable: TablePlan) {
  const columns = recordTable.columns.filter(({ name }) => name === 'updated_at')
  const { tombstones: _, ...others } = records
  const plan: RecordPlan = { ...others, where: [], tables: [{ ...recordTable, columns }] }
  const processLine = compileLineProcessing(plan)
  const openOutcome = compileOutcome(plan)
  return function* (block: Block, wanted: ReadonlySet<number> | undefined): Generator<[number, number | null]> {
    if (wanted === undefined) return
    let number = 0
    for (const line of linesOf(block)) {
      if (wanted.has(number)) {
        const outcome = openOutcome()
        processLine(line, number, outcome)
        const [row] = outcome.rows[0] ?? []
        if (row !== undefined) yield [number, row[0] as number | null]
      }
      number++
    }
  }
}

function toKey({ block, line }: LinePosition): string {
  return `${block} ${line}`
}
