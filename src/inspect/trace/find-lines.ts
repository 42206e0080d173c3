import { mostLinesOf } from '../../records/divide-block.ts'
import type { Block } from '../../records/block.ts'
import { type BlockOutcome, closeOutcome, compileOutcome } from '../../records/block-outcome.ts'
import { readIdEntries, toIdText } from '../../records/id-entries.ts'
import { compileLineProcessing, type RecordPlan } from '../../records/process-block.ts'
import type { RawLine } from '../../records/raw-line.ts'
import type { LinePlace, Reject } from '../../records/reject.ts'
import type { RequiredContext } from '../../run-context.ts'
import type { Source } from '../../sources/source.ts'
import type { LinePosition } from '../../engine/reading/list-older-versions.ts'
import { LineReader } from '../../engine/reading/read-lines.ts'
import type { RunProgress } from '../../engine/run/transform.ts'
import { compileCandidates } from './candidate-lines.ts'

export interface FindOptions extends RequiredContext<'signal'> {
  readonly pipeline: string
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

export interface FoundLine {
  readonly place: LinePlace
  readonly position: LinePosition
  readonly line: RawLine
}

export interface FoundLines {
  /** Lines by id: if there are more than `mostLines`, the first ones and the last. */
  readonly byId: ReadonlyMap<string, readonly FoundLine[]>
  readonly counts: ReadonlyMap<string, number>
  /** Some lines by id that hold its text but belong to another record; none for an empty id. */
  readonly mentions: ReadonlyMap<string, readonly FoundLine[]>
  readonly read: { readonly lines: number; readonly bytes: number }
}

const mostLines = 100
const mostMentions = 3

/**
 * Reads all sources and keeps the lines whose record has one of these ids, even if they break their contract. Ids are
 * compared as the contract reads them, regardless of their notation. Parses only lines whose bytes may hold an id.
 * Throws errors of reading.
 */
export async function findLines(
  ids: readonly string[],
  { records, sources }: { readonly records: RecordPlan; readonly sources: readonly Source[] },
  { pipeline, signal, onProgress }: FindOptions,
): Promise<FoundLines> {
  const found = new Findings(ids)
  const readId = compileReadId(withoutTables(records))
  const take = (candidate: FoundLine) => found.add(readId(candidate.line), candidate)
  const read = await readCandidates(ids, { records, sources }, { pipeline, signal, onProgress }, take)
  const { byId, counts, mentions } = found
  return { byId, counts, mentions, read }
}

function withoutTables(plan: RecordPlan): RecordPlan {
  const { tombstones: _, ...others } = plan
  return { ...others, where: [], tables: [] }
}

/**
 * Reads all sources, and calls `take` with each line whose bytes may hold one of these texts. Resolves with how much was
 * read. Throws errors of reading.
 */
export async function readCandidates(
  texts: readonly string[],
  { records, sources }: { readonly records: RecordPlan; readonly sources: readonly Source[] },
  { pipeline, signal, onProgress }: FindOptions,
  take: (candidate: FoundLine) => void,
): Promise<FoundLines['read']> {
  const search = compileSearch(texts, records)
  const reader = new LineReader(sources, {
    process: (block) => {
      const outcome = search(block)
      block.release?.()
      return outcome
    },
    mostLines: mostLinesOf(records),
    parts: false,
    limit: null,
    signal,
  })
  let bytes = 0
  let lines = 0
  for await (const { blockNumber, bytes: blockBytes, outcome, locate } of reader.blocks()) {
    for (const { line, lineInBlock } of outcome.found) {
      const place = locate({ lineInBlock, byteOffset: line.byteOffset } as Reject)
      take({ place, position: { block: blockNumber, line: lineInBlock }, line })
    }
    lines += outcome.counts.lines
    bytes += blockBytes
    onProgress?.({ pipeline, lines, bytes, total: null })
  }
  return { lines, bytes }
}

interface Candidate {
  readonly lineInBlock: number
  readonly line: RawLine
}

type SearchedBlock = Omit<BlockOutcome, 'rows'> & { readonly found: readonly Candidate[] }

function compileSearch(texts: readonly string[], records: RecordPlan): (block: Block) => SearchedBlock {
  const openOutcome = compileOutcome(withoutTables(records))
  const listCandidates = compileCandidates(texts)
  return (block) => {
    const outcome = closeOutcome(openOutcome())
    const { lines, candidates } = listCandidates(block)
    const found = candidates.map(({ line, lineInBlock }) => ({
      lineInBlock,
      line: { ...line, bytes: Buffer.from(line.bytes) },
    }))
    return { ...outcome, counts: { ...outcome.counts, lines }, found }
  }
}

/** Id of a line's record as the contract reads it, or as delivered if the line breaks the contract. */
function compileReadId(plan: RecordPlan): (line: RawLine) => string | null {
  const processLine = compileLineProcessing(plan)
  const openOutcome = compileOutcome(plan)
  return (line) => {
    const open = openOutcome()
    processLine(line, 0, open)
    for (const { bytes } of readIdEntries(open.ids.finish())) return toIdText(bytes)
    return open.rejects[0]?.id ?? null
  }
}

class Findings implements Omit<FoundLines, 'read'> {
  readonly byId: Map<string, FoundLine[]>
  readonly counts: Map<string, number>
  readonly mentions: Map<string, FoundLine[]>

  constructor(ids: readonly string[]) {
    this.byId = new Map(ids.map((id) => [id, []]))
    this.counts = new Map(ids.map((id) => [id, 0]))
    this.mentions = new Map(ids.filter((id) => id !== '').map((id) => [id, []]))
  }

  add(id: string | null, found: FoundLine): void {
    this.#addMentions(id, found)
    const lines = id === null ? undefined : this.byId.get(id)
    if (id === null || lines === undefined) return
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1)
    if (lines.length < mostLines) lines.push(found)
    else lines[mostLines - 1] = found
  }

  #addMentions(own: string | null, found: FoundLine): void {
    for (const [id, known] of this.mentions)
      if (id !== own && known.length < mostMentions && found.line.bytes.includes(id)) known.push(found)
  }
}
