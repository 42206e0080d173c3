import { isDeepStrictEqual } from 'node:util'
import { CatalogueError } from '../../errors.ts'
import type { OutputsPlan } from '../../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { FileStorage } from '../../storage/file-storage.ts'
import { joinPath } from '../../storage/paths.ts'
import { attemptFolder, attemptsFolder, resultName, type ShardStage } from '../attempt-paths.ts'
import type { ShardPlan } from '../shard-plan.ts'
import { type AttemptPaths, parseShardResult, type ShardFacts, type ShardResult } from '../shard-result.ts'

/** An attempt that ended. Its facts are read only when they are needed. */
export interface EndedAttempt extends Pick<
  ShardResult,
  'shard' | 'attempt' | 'host' | 'startedAt' | 'finishedAt' | 'digest' | 'failure'
> {
  readonly folder: string
}

export interface ShardStates {
  /** Attempts that finished, by shard, the earliest first. */
  readonly finished: readonly (readonly EndedAttempt[])[]
  /** The last attempt of each shard whose attempts have all failed. */
  readonly failed: readonly EndedAttempt[]
  readonly missing: readonly number[]
}

/** Reads the results of all attempts of a stage. Attempts of other plans are skipped. */
export async function readAttempts(
  folder: string,
  { shards, planId }: Pick<ShardPlan, 'shards' | 'planId'>,
  stage: ShardStage,
  storage: FileStorage,
): Promise<ShardStates> {
  const ended: EndedAttempt[][] = shards.map(() => [])
  for await (const { path } of storage.list(attemptsFolder(folder, stage), isAttempt)) {
    if (!isResult.test(path)) continue
    const result = await readResult(path, storage)
    if (result === null || result.planId !== planId) continue
    const { facts: _, files: __, stages: ___, ...attempt } = result
    ended[result.shard]?.push({ ...attempt, folder: attemptFolder(folder, stage, result.shard, result.attempt) })
  }
  for (const attempts of ended) attempts.sort((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1))
  const finished = ended.map((attempts) => attempts.filter(({ failure }) => failure === null))
  return {
    finished,
    failed: ended.flatMap((attempts, shard) => (finished[shard]?.length === 0 ? attempts.slice(-1) : [])),
    missing: ended.flatMap((attempts, shard) => (attempts.length === 0 ? [shard] : [])),
  }
}

function isAttempt(name: string): boolean {
  return /^\d{5,}-[\w-]+$/.test(name)
}

const isResult = /[\\/]\d{5,}-[\w-]+[\\/]shard\.json$/

async function readResult(path: string, storage: Pick<FileStorage, 'read'>): Promise<ShardResult | null> {
  const bytes = await storage.read(path)
  return bytes === null ? null : parseShardResult(bytes)
}

export interface AttemptFacts {
  readonly facts: ShardFacts
  readonly files: AttemptPaths
}

export async function readFacts({ folder }: EndedAttempt, storage: Pick<FileStorage, 'read'>): Promise<AttemptFacts> {
  const result = await readResult(joinPath(folder, resultName), storage)
  if (result?.facts && result.files) return { facts: result.facts, files: result.files }
  throw new CatalogueError('SHARDS_INCOMPLETE', `${folder}: the result of this finished attempt was removed or changed`)
}

/**
 * Chooses one finished attempt for each shard. Throws SHARDS_DIFFER if two have different results, SHARDS_INCOMPLETE
 * with every shard that has none.
 */
export async function chooseAttempts(
  folder: string,
  plan: ShardPlan,
  stage: ShardStage,
  storage: FileStorage,
): Promise<EndedAttempt[]> {
  const states = await readAttempts(folder, plan, stage, storage)
  await checkAlike(states, plan.pipeline, storage)
  if (states.missing.length > 0 || states.failed.length > 0) throw incomplete(folder, plan, stage, states)
  return states.finished.flatMap(([first]) => first ?? [])
}

async function checkAlike(
  { finished }: ShardStates,
  pipeline: ShardPlan['pipeline'],
  storage: Pick<FileStorage, 'read'>,
): Promise<void> {
  const lines: string[] = []
  for (const [first, ...others] of finished) {
    const other = others.find(({ digest }) => digest !== first?.digest)
    if (first === undefined || other === undefined) continue
    const [one, two] = [await readFacts(first, storage), await readFacts(other, storage)]
    const shown = [first, other].map(({ attempt, host }) => `${attempt} on ${host}`).join(' and ')
    lines.push(
      `shard ${first.shard}: attempts ${shown} differ in ${describeDifference(one.facts, two.facts, pipeline.records, pipeline.outputs)}`,
    )
  }
  if (lines.length === 0) return
  const message = `expected the same result of every attempt of a shard, got others:\n${lines.join('\n')}`
  throw new CatalogueError('SHARDS_DIFFER', message)
}

/** The members in which two results differ, in words; for parts also the tables and formats. */
function describeDifference(one: ShardFacts, other: ShardFacts, records: RecordsPlan, outputs: OutputsPlan): string {
  const differs = (Object.keys(names) as (keyof ShardFacts)[]).filter((key) => !isDeepStrictEqual(one[key], other[key]))
  return differs.map((key) => (key === 'files' ? describeParts(one, other, records, outputs) : names[key])).join(', ')
}

/** The bytes that were read come first: if they differ, all else may. */
const names: Readonly<Record<keyof ShardFacts, string>> = {
  inputDigest: 'the bytes that were read',
  segments: 'the lines of their files',
  totals: 'the counts',
  files: 'the parts',
  rejects: 'the rejects',
  ids: 'the ids',
  unique: 'the values that are to be unique',
  resolution: 'the lines that repeat an id, as they were resolved',
  rowCounts: 'the counts of values',
}

function describeParts(one: ShardFacts, other: ShardFacts, records: RecordsPlan, { files }: OutputsPlan): string {
  const differing = files.filter((_, at) => !isDeepStrictEqual(one.files[at], other.files[at]))
  const shown = differing
    .slice(0, mostShown)
    .map(({ table, format }) => `${records.tables[table]?.name} (${format.format})`)
  return `${names.files} of ${shown.join(', ')}${differing.length > mostShown ? ' and others' : ''}`
}

const mostShown = 3

function incomplete(
  folder: string,
  { pipeline, shards }: Pick<ShardPlan, 'pipeline' | 'shards'>,
  stage: ShardStage,
  { missing, failed }: ShardStates,
): CatalogueError {
  const bad = [...missing, ...failed.map(({ shard }) => shard)].toSorted((a, b) => a - b)
  const why = failed.map(
    ({ shard, failure, host }) => `shard ${shard} on ${host}: ${failure?.code} ${failure?.message}`,
  )
  const missed = missing.length === 0 ? [] : [`not run, or not to its end: ${formatNumbers(missing)}`]
  const got = shards.length - bad.length
  const message = `${pipeline.name}: expected ${shards.length} finished shards, got ${got}:\n${[...why, ...missed].join('\n')}`
  const option = stage === 'ids' ? ' --stage ids' : ''
  const again = `Run again what is missing, then this command: \`catalogue-etl shards run ${folder} --shard ${formatNumbers(bad)}${option}\`, or as an array of jobs ${formatNumbers(bad)}.`
  const fix = failed.length === 0 ? again : `${again} ${afterMending}`
  return new CatalogueError('SHARDS_INCOMPLETE', message, { fix })
}

const afterMending =
  'A plan knows its files by their sizes: once one has been put right, or is left out of the config, make a new plan in another folder.'

/** `3,7-9`, as `--shard` and arrays of Slurm take it. */
export function formatNumbers(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
