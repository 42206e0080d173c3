import { Readable } from 'node:stream'
import { chooseWorkers } from '../../kernel/encode/choose-workers.ts'
import type { EncodedBlock } from '../../kernel/encode/encoding-plan.ts'
import { openEncoder } from '../../kernel/encode/open-encoder.ts'
import type { ContractName } from '../../contracts/contracts.ts'
import { toOwnBytes } from '../../records/memory/copy-bytes.ts'
import { defaultMaxLineBytes } from '../../records/block.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { readIdEntries, toIdText } from '../../records/id-entries.ts'
import { findLineBreak } from '../../records/raw-line.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import { createObjectReader } from '../../storage/s3/create-object-reader.ts'
import { openFiles } from '../../engine/reading/open-files.ts'
import { LineReader } from '../../engine/reading/read-lines.ts'
import type { DiffSide, SideLines } from './diff-report.ts'
import type { LineSide } from './recognize-side.ts'

export interface ReadOptions extends RequiredContext<'env' | 'signal'> {
  readonly workers?: number | undefined
  readonly onProgress?: ((progress: { readonly lines: number; readonly bytes: number }) => void) | undefined
}

export interface OpenSide {
  readonly side: LineSide
  readonly records: RecordPlan
  readonly sources: readonly Source[]
  readonly options: ReadOptions
  readonly close: () => Promise<void>
}

/** Opens the files of a side. Throws SOURCE_NOT_FOUND, and SOURCE_CHANGED while a fetch replaces them. */
export async function openSide(side: LineSide, contract: ContractName, options: ReadOptions): Promise<OpenSide> {
  const objects = createObjectReader(options.env)
  const close = async () => objects.close()
  const reading = { name: 'diff', contract, format: 'auto', maxLineBytes: defaultMaxLineBytes } as const
  try {
    const { sources } = await openFiles(side.files, reading, { stdin: Readable.from([]), objects })
    return { side, records: toCheckedRecords(contract), sources, options, close }
  } catch (error) {
    await close()
    throw error
  }
}

function toCheckedRecords(contract: ContractName): RecordPlan {
  // All fields of raw records are unknown.
  const unknownFields = contract === 'raw' ? 'ignore' : 'report'
  const drift = { unknownFields, unknownValues: 'report', invalidValues: 'reject' } as const
  return { contract, drift, locales: [], where: [], tables: [], maxLineBytes: defaultMaxLineBytes }
}

/** A block of lines for the index; `own` is a copy of its bytes that may be kept. */
export interface IndexedBlock {
  readonly own: Buffer
  /** Number of the block's first line across all files, from 0. */
  readonly firstLine: number
  /** Lines with an id, in order, including those that break their contract. */
  readonly ids: readonly { readonly id: string; readonly line: number }[]
}

/**
 * Reads all lines, checks them against the contract, and passes the ids of each block to `take` in order. `prepare` is
 * called for each block ahead of that, while other blocks are checked.
 */
export async function readIds<Prepared>(
  { side, records, sources, options }: OpenSide,
  prepare: (own: Buffer) => Prepared,
  take: (block: IndexedBlock, prepared: Prepared) => void,
): Promise<Omit<DiffSide, 'lines'> & { readonly lines: Omit<SideLines, 'repeated'> }> {
  const { signal, env, workers, onProgress } = options
  const expectedBytes = sources.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  const encoder = await openEncoder(
    { records, files: [] },
    { workers: chooseWorkers({ asked: workers, env }), expectedBytes },
  )
  const lines = { total: 0, blank: 0, rejected: 0, withoutId: 0 }
  let bytes = 0
  try {
    const reader = new LineReader<EncodedBlock & { readonly own: Buffer; readonly prepared: Prepared }>(sources, {
      process: async (block) => {
        const own = toOwnBytes(block.bytes)
        const prepared = prepare(own)
        return { ...(await encoder.encodeBlock(block)), own, prepared }
      },
      ahead: () => encoder.ahead,
      release: encoder.release,
      buffers: encoder.buffers,
      mostLines: mostLinesOf(records),
      parts: false,
      limit: null,
      signal,
    })
    for await (const { outcome, bytes: blockBytes } of reader.blocks()) {
      const ids = listIds(outcome)
      const { counts } = outcome
      take({ own: outcome.own, firstLine: lines.total, ids }, outcome.prepared)
      lines.total += counts.lines
      lines.blank += counts.blank
      lines.rejected += counts.rejected
      lines.withoutId += counts.lines - counts.blank - ids.length
      bytes += blockBytes
      onProgress?.({ lines: lines.total, bytes })
    }
    const { completeness } = reader.end()
    const time = findTime(sources)
    return { path: side.path, kind: side.kind, files: sources.length, time, lines: { ...lines, completeness } }
  } finally {
    await encoder.close()
  }
}

function findTime(sources: readonly Source[]): string | null {
  return sources.flatMap(({ landed }) => landed?.fetchedAt ?? []).toSorted()[0] ?? null
}

/** Ids of a block's lines including rejects, by line. */
function listIds({ ids, rejects }: Pick<EncodedBlock, 'ids' | 'rejects'>): { id: string; line: number }[] {
  const found = Array.from(readIdEntries(ids), ({ bytes, lineInBlock }) => ({ id: toIdText(bytes), line: lineInBlock }))
  const named = rejects.flatMap(({ id, lineInBlock }) => (id === null ? [] : [{ id, line: lineInBlock }]))
  return named.length === 0 ? found : [...found, ...named].toSorted((a, b) => a.line - b.line)
}

/** Reads lines again by their ascending numbers. `at` is the index in `wanted`. */
export async function* readAgain(
  { sources, options: { signal } }: OpenSide,
  wanted: Uint32Array,
): AsyncGenerator<{ readonly at: number; readonly line: Buffer }> {
  let number = 0
  let at = 0
  for (const source of sources) {
    for await (const block of source.read(signal).blocks) {
      const { bytes } = block
      for (let start = 0; start < bytes.length && at < wanted.length; number++) {
        const end = findLineBreak(bytes, start)
        if (number === wanted[at]) yield { at: at++, line: bytes.subarray(start, end) }
        start = end + 1
      }
      block.release?.()
    }
    if (at === wanted.length) return
  }
}
