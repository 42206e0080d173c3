import type { EncodedBlock, EncodingPlan } from '../../kernel/encode/encoding-plan.ts'
import type { Encoder } from '../../kernel/encode/open-encoder.ts'
import { CatalogueError } from '../../errors.ts'
import type { BuiltinTables } from '../builtin/builtin-tables.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { readsGiven } from '../../records/flatten/flatten-record.ts'
import { mostLinesOf } from '../../records/divide-block.ts'
import { listTotals } from '../../records/block-outcome.ts'
import { type DeliveryTracker, noLineReason } from '../../sources/completeness.ts'
import type { Source } from '../../sources/source.ts'
import type { Outputs } from '../outputs/outputs.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { findDuplicates, type ListOlder, type ExcludedLines } from '../reading/find-duplicates.ts'
import { listOlderVersions, type OlderVersionsOptions } from '../reading/list-older-versions.ts'
import { LineReader, type ReadEnd } from '../reading/read-lines.ts'
import { RunCounters } from '../reading/run-counters.ts'
import { UniqueColumns } from '../reading/unique-columns.ts'
import type { RuleFacts } from '../../kernel/rules/judge-rules.ts'
import { doubtContract } from '../doubts/doubt-contract.ts'
import { VersionDoubt } from '../doubts/doubt-version.ts'
import type { RunResources } from './run-resources.ts'
import type { RuleReport } from '../../manifest/manifest.ts'

interface RunReading {
  readonly plan: PipelinePlan
  readonly sources: readonly Source[]
}

export interface OpenRun<Written extends RunWriting> extends RunReading {
  /** How `begin` encodes, for tables that are computed over all records. */
  readonly encoding: EncodingPlan
  /** Opens what is written to. What was written by then is discarded before the next call. */
  readonly begin: () => Promise<Written>
}

export interface RunWriting {
  readonly encoder: Encoder
  readonly outputs: Pick<Outputs, 'write' | 'discard'>
}

export interface TransformOptions extends RequiredContext<'signal'>, Pick<RunContext, 'onWarning'> {
  readonly limit?: number | undefined
  readonly workers: number
  /** Lines to leave out; by default those that `duplicates` asks for. */
  readonly excluded?: ExcludedLines | null | undefined
  readonly openTracker?: (() => DeliveryTracker) | undefined
  /** False if the caller counts repeated ids and values. Default true. */
  readonly countsIds?: boolean | undefined
  readonly onSource?: ((name: string) => void) | undefined
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

/**
 * Reads, encodes and writes every block. Encoding is parallel, writing is in order. If `duplicates` leaves lines out, it
 * supposes that no id comes twice, as in most inputs; if one does, it begins again when it knows all that do.
 */
export async function transform<Written extends RunWriting>(
  open: OpenRun<Written>,
  options: TransformOptions,
  resources: RunResources,
): Promise<Transformed & Written> {
  const { plan, sources } = open
  const { onWarning, signal } = options
  await resources.takeTurn(signal)
  const ended = await readOnceOrAgain(open, options, resources)
  const { counters, read, versions } = ended
  const isReported = read.completeness.status !== 'proven'
  for (const name of listEmpty(read)) onWarning?.(`${name}: ${noLineReason}`, { isReported })
  for (const doubt of [
    await doubtContract(plan.source, plan.records, counters, sources, options),
    versions?.describe(),
  ])
    if (doubt) onWarning?.(doubt)
  return ended
}

interface Transformed {
  readonly counters: RunCounters
  readonly read: ReadEnd
  readonly versions: VersionDoubt | null
}

async function readOnceOrAgain<Written extends RunWriting>(
  open: OpenRun<Written>,
  options: TransformOptions,
  resources: RunResources,
): Promise<Transformed & Written> {
  const { excluded } = options
  const { duplicates } = open.plan.records
  if (excluded !== undefined) return readAndWrite(open, excluded, options, resources)
  if (duplicates === 'keep') return readAndWrite(open, null, options, resources)
  const told = { ...options, onSource: tellOnce(options.onSource) }
  try {
    return await readAndWrite(open, null, { ...told, endsAtRepeat: true }, resources)
  } catch (thrown) {
    if (!(thrown instanceof RepeatedId)) throw thrown
  }
  const found = await readDuplicates(open, duplicates, told, resources)
  resources.stages.enter('prepare')
  return readAndWrite(open, found, told, resources)
}

/** The same source is told of once, however often it is read. */
function tellOnce(onSource: TransformOptions['onSource']): TransformOptions['onSource'] {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return
    known.add(name)
    onSource?.(name)
  }
}

/** Thrown at a repeated id by a reading that was to end there. Nothing is left of what it wrote. */
class RepeatedId extends Error {}

async function readAndWrite<Written extends RunWriting>(
  { plan, encoding, sources, begin }: OpenRun<Written>,
  excluded: ExcludedLines | null,
  options: TransformOptions & { readonly endsAtRepeat?: boolean },
  resources: RunResources,
): Promise<Transformed & Written> {
  const { onProgress, endsAtRepeat = false } = options
  const written = await begin()
  const { encoder, outputs } = written
  resources.stages.enter('read and encode')
  const versions = readsGiven(plan.records.tables) ? new VersionDoubt() : null
  const reader = openReader({ plan, sources, encoder }, options, excluded, versions)
  const counters = new RunCounters(plan.records, options)
  const unique = new UniqueColumns(options.countsIds === false ? [] : plan.limits.rules)
  const builtin = await openBuiltin(encoding)
  let bytes = 0
  let isAtRepeat = false
  for await (const read of reader.blocks()) {
    const block = builtin?.take(read) ?? read
    counters.add(block.outcome)
    isAtRepeat = endsAtRepeat && counters.ledger.repeatedIds > 0
    if (isAtRepeat) break
    counters.broken.add(unique.add(block.outcome.unique))
    await outputs.write(block)
    bytes += block.bytes
    onProgress?.({
      pipeline: plan.name,
      lines: counters.ledger.lines,
      bytes,
      total: listTotals(block.outcome.indexes)[0] ?? null,
    })
  }
  if (isAtRepeat) {
    await outputs.discard()
    resources.outputs = null
    await resources.closeEncoder(encoder)
    throw new RepeatedId()
  }
  for await (const block of builtin?.compute() ?? []) {
    counters.add(block.outcome)
    await outputs.write(block)
  }
  const rowCounts = await encoder.collectCounts()
  counters.rowCounts = builtin?.replaceCounts(rowCounts) ?? rowCounts
  counters.rules = await judge(
    plan,
    { repeated: unique.repeated, rows: counters.rows, rowCounts: counters.rowCounts, broken: counters.broken },
    options,
  )
  const read = reader.end()
  if (excluded !== null && excluded.inputDigest !== read.inputDigest) {
    const message = `${plan.name}: expected the same bytes in all readings that duplicates: ${plan.records.duplicates} takes, got others`
    throw new CatalogueError('SOURCE_CHANGED', message)
  }
  return { ...written, counters, read, versions }
}

/** Loaded lazily, as most runs have no built-in table. */
async function openBuiltin(encoding: EncodingPlan): Promise<BuiltinTables | null> {
  if (!encoding.records.tables.some(({ builtin }) => builtin)) return null
  const { BuiltinTables: Tables } = await import('../builtin/builtin-tables.ts')
  return Tables.open(encoding)
}

async function judge(
  plan: PipelinePlan,
  facts: Omit<RuleFacts, 'isPart'>,
  { limit }: Pick<TransformOptions, 'limit'>,
): Promise<RuleReport[]> {
  if (plan.limits.rules.length === 0) return []
  const { judgeRules } = await import('../../kernel/rules/judge-rules.ts')
  return judgeRules(plan.records, plan.limits, { ...facts, isPart: limit !== undefined })
}

/** Sources without lines, which may be empty or have failed. */
function listEmpty({ sources, completeness }: ReadEnd): string[] {
  const alone = sources.filter((source) => source.completeness.reasons.includes(noLineReason)).map(({ name }) => name)
  const isNone = alone.length === 0 && completeness.reasons.some((reason) => reason.endsWith(noLineReason))
  return isNone ? sources.map(({ name }) => name) : alone
}

/** Finds repeated ids in a reading of its own, as all of them have to be known before anything is written. */
async function readDuplicates(
  { plan, sources }: RunReading,
  duplicates: 'last' | 'reject',
  options: TransformOptions,
  resources: RunResources,
): Promise<ExcludedLines> {
  const {
    records,
    outputs: { stateful },
  } = plan
  resources.stages.enter('find duplicates')
  const encoder = await resources.openEncoder({ records, files: [] }, sources, options.workers)
  const reader = openReader({ plan, sources, encoder }, options, null)
  const listOlder = toListOlder(stateful, { records, signal: options.signal }, sources)
  const excluded = await findDuplicates(reader, duplicates, listOlder)
  await resources.closeEncoder(encoder)
  return excluded
}

/** Null if records have no cursor; then the last version stays. */
function toListOlder(
  stateful: OutputsPlan['stateful'],
  options: Pick<OlderVersionsOptions, 'records' | 'signal'>,
  sources: readonly Source[],
): ListOlder | null {
  if (stateful === null || stateful.cursor === null) return null
  const { recordTable } = stateful
  return (versions) => listOlderVersions(versions, sources, { ...options, recordTable })
}

function openReader(
  { plan, sources, encoder }: RunReading & Pick<RunWriting, 'encoder'>,
  { limit, signal, onSource, openTracker }: TransformOptions,
  excluded: ExcludedLines | null,
  versions: VersionDoubt | null = null,
): LineReader<EncodedBlock> {
  const { encodeBlock, release, buffers } = encoder
  return new LineReader<EncodedBlock>(sources, {
    process: (block, blockNumber) => {
      versions?.look(block)
      return encodeBlock(block, excluded?.linesOf(blockNumber))
    },
    ahead: () => encoder.ahead,
    release,
    buffers,
    mostLines: mostLinesOf(plan.records),
    parts: plan.source.kind === 'files' && plan.source.parts,
    openTracker,
    limit: limit ?? null,
    signal,
    onSource,
  })
}

export interface RunProgress {
  readonly pipeline: string
  readonly lines: number
  readonly bytes: number
  /** As stated by the stream, otherwise null. */
  readonly total: number | null
  /** Plural name of what is counted. Default `lines`. */
  readonly unit?: string
}
