import type { Readable } from 'node:stream'
import { withVersion } from '../contracts/given-values.ts'
import { openUnpublished } from '../engine/fetch/open-unpublished.ts'
import type { OpenedSources } from '../engine/reading/open-sources.ts'
import { LineReader, type ReadEnd } from '../engine/reading/read-lines.ts'
import { RunCounters } from '../engine/reading/run-counters.ts'
import { checkRun } from '../engine/run/check-run.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { mostLinesOf } from '../records/divide-block.ts'
import { BlockBuffers } from '../records/memory/block-buffers.ts'
import { MemorySpace } from '../records/memory/memory-space.ts'
import type { BlockOutcome } from '../records/block-outcome.ts'
import type { Row } from '../records/flatten/column.ts'
import { type RejectsFileLine, toRejectsFileLine } from '../records/reject.ts'
import type { RequiredContext, RunContext } from '../run-context.ts'
import { createFileSource } from '../sources/file-source.ts'
import { compileDecoding } from '../streams/read-rows.ts'
import { compileTableRow } from '../records/tables/compile-table-row.ts'
import type { TableRow } from '../records/tables/row-of.ts'
import { streamName } from './byte-stream.ts'
import { type ReadReport, toReadReport } from './read-report.ts'

export interface ReadRowsOptions extends RequiredContext<'signal'>, Pick<RunContext, 'env' | 'onWarning'> {
  /** Takes the stream behind `-`; null for other sources. */
  readonly takeStream: (() => Readable) | null
  /** Gets every rejected line before the rows of its block; the reading waits for its promise. */
  readonly onReject: (reject: RejectsFileLine) => void | Promise<void>
  /** Gets the report of this reading, as it is when asked. */
  readonly onReport: (report: () => ReadReport) => void
}

type DecodedBlock = Omit<BlockOutcome, 'rows'> & { readonly rows: readonly Row[] }

/**
 * Reads the rows of the only table of a plan, block by block, by the fast path. Throws what a run throws: SOURCE_INCOMPLETE,
 * TOO_MANY_REJECTS, INTERRUPTED, or the error of the source.
 */
export async function* readRows(plan: PipelinePlan, options: ReadRowsOptions): AsyncGenerator<TableRow> {
  const { records } = plan
  const { signal, onReject, onReport } = options
  const counters = new RunCounters(records)
  let end: ReadEnd | null = null
  onReport(() => toReadReport(plan, counters, end))
  const toTableRow = compileTableRow(records.tables[0]?.columns ?? [])
  const { sources, close } = await open(plan, options)
  try {
    const reader = openReader(plan, sources, signal)
    for await (const { outcome, locate } of reader.blocks()) {
      const { rows, rejects } = outcome
      counters.add({ ...outcome, rowCounts: [rows.length], broken: [] })
      for (const reject of rejects) await onReject(toRejectsFileLine(reject, locate(reject)))
      for (const row of rows) yield toTableRow(row)
    }
    end = reader.end()
    checkRun(plan, counters, end, null)
  } finally {
    await close()
  }
}

function openReader(
  { records, source }: PipelinePlan,
  sources: OpenedSources['sources'],
  signal: AbortSignal,
): LineReader<DecodedBlock> {
  const space = new MemorySpace()
  const decode = compileDecoding(records, space)
  return new LineReader(sources, {
    process(block) {
      const { outcome, rows } = decode(block)
      block.release?.()
      return { ...outcome, rows }
    },
    buffers: new BlockBuffers(space),
    mostLines: mostLinesOf(records),
    parts: source.kind === 'files' && source.parts,
    limit: null,
    signal,
  })
}

async function open(
  plan: PipelinePlan,
  { takeStream, ...context }: ReadRowsOptions,
): Promise<Pick<OpenedSources, 'sources' | 'close'>> {
  const { source, records } = plan
  if (takeStream === null || source.kind !== 'files') return openUnpublished(plan, context)
  const { format, interfaceVersion } = source
  const { maxLineBytes } = records
  const stream = takeStream()
  const opened = createFileSource('-', stream, { stdinName: streamName, format, maxLineBytes })
  return { sources: [withVersion(opened, interfaceVersion)], close: async () => void stream.destroy() }
}
