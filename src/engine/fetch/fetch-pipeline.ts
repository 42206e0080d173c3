import * as nodeFs from 'node:fs/promises'
import { Readable } from 'node:stream'
import { endpoints, isEndpointName } from '../../service/endpoints/endpoints.ts'
import { contracts, suits } from '../../contracts/contracts.ts'
import { planPipeline } from '../../plan/plan-pipeline.ts'
import type { PipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { ServiceSourcePlan, SourcePlan } from '../../plan/source/source-plan.ts'
import { CatalogueError } from '../../errors.ts'
import type { FileSystem } from '../../storage/file-system.ts'
import { createLocalStorage } from '../../storage/local-storage.ts'
import type { WrittenFile } from '../../storage/staged-file.ts'
import { toLandingManifestPath } from '../../sources/landing-manifest.ts'
import type { Completeness, LandingManifest } from '../../manifest/manifest.ts'
import { clearStale, inFrame } from '../frame.ts'
import { watchCallbacks } from '../../watch-callbacks.ts'
import { checkComplete } from '../run/check-run.ts'
import { LandingFiles } from './landing-files.ts'
import { openSources } from '../reading/open-sources.ts'
import {
  aFunction,
  anObject,
  aSignal,
  aText,
  listOf,
  needed,
  type OptionKinds,
  requireOptions,
} from '../../check-options.ts'
import type { RunProgress } from '../run/transform.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { readToolVersion } from '../../package-file.ts'
import { listSideFiles } from '../side-files.ts'
import { toRealPath } from '../../sources/find-files.ts'
import type { Source, SourceNotes } from '../../sources/source.ts'
import { Delivery } from './delivery.ts'

export interface FetchOptions extends Pick<RunContext, 'signal' | 'env' | 'onWarning'> {
  /** File for the lines, compressed if its name ends in .gz. Its manifest is `<to>.manifest.json`. */
  readonly to: string
  /** Files that `to` must not replace, such as the config. */
  readonly madeFrom?: readonly string[] | undefined
  readonly onProgress?: ((progress: RunProgress) => void) | undefined
}

/**
 * Lands the lines of a pipeline's endpoint in a file, unchanged, for later runs. On failure throws a CatalogueError and
 * leaves an earlier file and manifest unchanged. An incomplete result is landed only if a run would publish it. Records
 * are not checked, which is up to a run. What a callback throws or rejects with ends the work, and is thrown as it is.
 */
export async function fetchPipeline(config: PipelineConfig, options: FetchOptions): Promise<LandingManifest> {
  requireOptions('fetchPipeline', options, fetchOptions)
  return watchCallbacks(options, (watched) => fetchPlan(planPipeline(config, { env: options.env }), watched))
}

const fetchOptions: OptionKinds<FetchOptions> = {
  to: needed(aText),
  madeFrom: listOf(aText),
  signal: aSignal,
  env: anObject,
  onWarning: aFunction,
  onProgress: aFunction,
}

export async function fetchPlan(
  plan: PipelinePlan,
  {
    to,
    madeFrom = [],
    signal = new AbortController().signal,
    onProgress,
    onWarning,
    settle,
  }: FetchOptions & Pick<RunContext, 'settle'>,
  fs: FileSystem = nodeFs,
): Promise<LandingManifest> {
  const startedAt = new Date()
  const source = requireEndpoint(plan.name, plan.source, to)
  const list = source.sourceIds?.summary.file
  await checkApart(plan.name, to, list === undefined ? madeFrom : [...madeFrom, list])
  checkEnding(plan.name, to)
  // Temporary files are beside the manifest of the landed file.
  const landingPlan = { ...plan, report: { ...plan.report, manifest: { path: toLandingManifestPath(to) } } }
  let files: LandingFiles | null = null
  const frame = {
    name: plan.name,
    noun: 'fetch',
    storage: createLocalStorage(),
    homes: [landingPlan.report.manifest.path],
    unchanged: 'Nothing was landed; an earlier file is as it was.',
    abandon: async () => {
      await files?.discard()
      return undefined
    },
    signal,
    onWarning,
  }
  return inFrame(frame, async ({ token, releases }) => {
    const { sources, close } = await openSources(landingPlan, { stdin: Readable.from([]), token, onWarning })
    releases.push(close)
    const { records, outputs, report } = landingPlan
    await clearStale([to, report.manifest.path, ...listSideFiles(source, records, outputs, report)])
    files = await LandingFiles.open(to, token, fs)
    const landed = await landLines(landingPlan.name, landingPlan.records, sources, files, { signal, onProgress })
    checkComplete(plan.name, plan.limits, landed.completeness)
    const file = await files.finish()
    const manifest = toManifest(plan.name, plan.records, source, landed, file, startedAt)
    await settle?.()
    await files.publish(manifest)
    return manifest
  })
}

function requireEndpoint(name: string, source: SourcePlan, to: string): ServiceSourcePlan {
  if (source.kind === 'files') {
    const got = `files (${source.files.join(', ')}), which are there already`
    throw new CatalogueError('CONFIG_INVALID', `${name}: expected a source with an endpoint to fetch from, got ${got}`)
  }
  if (to === '' || to === '-') {
    const reason = 'as what is landed must be known to be complete before anybody reads it'
    throw new CatalogueError('USAGE', `${name}: expected the path of a file to land in, ${reason}, got "${to}"`)
  }
  return source
}

async function checkApart(name: string, to: string, madeFrom: readonly string[]): Promise<void> {
  const taken = await Promise.all(madeFrom.map(toRealPath))
  for (const path of [to, toLandingManifestPath(to)]) {
    const at = taken.indexOf(await toRealPath(path))
    if (at < 0) continue
    const message = `${name}: expected a file of its own to land in, got --to ${to}, which would replace ${madeFrom[at]}`
    throw new CatalogueError('USAGE', message)
  }
}

/** Landed files hold lines, not tables, so the extension must not promise a table. */
function checkEnding(name: string, to: string): void {
  const [, ending] = /\.(csv|tsv|parquet|xlsx?|duckdb)(?:\.gz)?$/i.exec(to) ?? []
  if (ending === undefined) return
  const message = `${name}: expected a file of raw lines such as ${name}.ndjson.gz to land in, got --to ${to}`
  const fix = `Land them in ${name}.ndjson.gz; \`catalogue-etl run CONFIG --from ${name}.ndjson.gz\` writes the outputs of the config.`
  throw new CatalogueError('USAGE', message, { fix })
}

/** The contract of landed products is that of the endpoint's version, even if the config reads both versions. */
function toLandedContract({ contract, contractVersion }: RecordsPlan, endpoint: string): LandingManifest['contract'] {
  const own = isEndpointName(endpoint) ? endpoints[endpoint].contract : contract
  return own !== contract && suits(contract, own)
    ? { name: own, version: contracts[own].version }
    : { name: contract, version: contractVersion }
}

function toManifest(
  name: string,
  records: RecordsPlan,
  { endpoint, baseUrl, method, path, filter, alternatives, sorting, page, partition, sourceIds }: ServiceSourcePlan,
  { lines, bytes, completeness, notes }: LandedLines,
  file: WrittenFile,
  startedAt: Date,
): LandingManifest {
  const { firstAnswerAt, ...more } = notes
  return {
    kind: 'landing',
    format: 1,
    tool: readToolVersion(),
    pipeline: name,
    contract: toLandedContract(records, endpoint),
    endpoint,
    baseUrl: baseUrl ?? '',
    request: {
      method,
      path,
      filter,
      ...(alternatives && { alternatives: [...alternatives] }),
      sorting,
      page,
      partition,
      ...(sourceIds && { sourceIds: sourceIds.summary }),
    },
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    firstAnswerAt: firstAnswerAt?.toISOString() ?? null,
    lines,
    bytes,
    file: { bytes: file.bytes, sha256: file.sha256 },
    completeness,
    notes: more,
  }
}

interface LandedLines {
  readonly lines: number
  readonly bytes: number
  readonly completeness: Completeness
  readonly notes: SourceNotes
}

interface LandOptions extends RequiredContext<'signal'> {
  readonly onProgress: ((progress: RunProgress) => void) | undefined
}

/**
 * Writes the lines of an endpoint's source to a landing file, block by block, with one block in flight. Throws errors
 * of the source, INTERRUPTED when `signal` aborts, and SOURCE_FAILED for a line too long to be kept whole.
 */
async function landLines(
  name: string,
  { maxLineBytes }: RecordsPlan,
  sources: readonly Source[],
  files: LandingFiles,
  { signal, onProgress }: LandOptions,
): Promise<LandedLines> {
  const delivery = new Delivery(sources, maxLineBytes, signal)
  for await (const { bytes } of delivery.blocks(signal)) {
    await files.write(bytes)
    onProgress?.({ pipeline: name, lines: delivery.lines, bytes: delivery.bytes, total: delivery.total })
  }
  if (signal.aborted) throw delivery.interruption('fetch')
  const { lines, bytes } = delivery
  return { lines, bytes, completeness: delivery.completeness(), notes: delivery.notes() }
}
