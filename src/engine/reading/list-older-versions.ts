import type { RequiredContext } from '../../run-context.ts'
import { compileOutcome } from '../../records/block-outcome.ts'
import type { Block } from '../../records/block.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { compileLineProcessing, type RecordPlan } from '../../records/process-block.ts'
import { linesOf } from '../../records/raw-line.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import type { Source } from '../../sources/source.ts'
import { readBlocks } from './read-blocks.ts'

/** A line by block number across all sources, and line number in the block; both from 0. */
export interface LinePosition {
  readonly block: number
  readonly line: number
}

export interface OlderVersionsOptions extends RequiredContext<'signal'> {
  readonly records: RecordPlan
  /** Table with a row per record whose column `updated_at` has the time of the last change. */
  readonly recordTable: TablePlan
}

/**
 * Lists the older ones of several versions of a record in one reading. The latest cursor wins, the last line among
 * equal cursors; a missing cursor is oldest. If there are repeated records, reads the sources once more and parses only
 * the lines of their versions.
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

function chooseLatest<Version>(versions: readonly Version[], cursorOf: (version: Version) => number): Version | null {
  let latest: Version | null = null
  for (const version of versions) if (latest === null || cursorOf(version) >= cursorOf(latest)) latest = version
  return latest
}

/**
 * Cursors of lines in milliseconds, or null. Lines whose cursor does not fit a column are missing, as they are
 * rejected.
 */
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
