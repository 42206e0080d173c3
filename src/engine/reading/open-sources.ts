import { statSync, type Stats } from 'node:fs'
import type { Readable } from 'node:stream'
import { productVersionOf, withVersion } from '../../contracts/given-values.ts'
import { CatalogueError } from '../../errors.ts'
import { isRunPathOf } from '../../storage/s3/object-path.ts'
import { createObjectReader } from '../../storage/s3/create-object-reader.ts'
import { withVersions } from '../../plan/source/find-version.ts'
import type { FileSourcePlan, ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { SourceIdsPlan } from '../../plan/source/source-ids-plan.ts'
import { stagingPath } from '../../storage/staging-names.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { readsGiven } from '../../records/flatten/flatten-record.ts'
import { toRealPath } from '../../sources/find-files.ts'
import type { Source } from '../../sources/source.ts'
import { listFixedPaths, windowPath } from '../side-files.ts'
import { openFiles, type FileContext, type FoundFile } from './open-files.ts'
import type { MissingIdentifiers } from '../../manifest/manifest.ts'

export interface SourceContext extends RequiredContext<'token'>, Pick<RunContext, 'onWarning' | 'env'> {
  readonly stdin: Readable
  /** What `stdin` is called in reports and messages. Default `<stdin>`. */
  readonly stdinName?: string | undefined
}

export interface OpenedSources {
  readonly sources: readonly Source[]
  readonly requests: () => number
  readonly close: () => Promise<void>
}

/** Opens the sources of a plan, without reading. Throws SOURCE_NOT_FOUND or CONFIG_INVALID. */
export async function openSources(plan: PipelinePlan, context: SourceContext): Promise<OpenedSources> {
  const { source } = plan
  if (source.kind === 'service') return openServiceSources(plan, source, context)
  const objects = createObjectReader(context.env ?? process.env)
  try {
    const sources = await openFileSources(plan, source, { ...context, objects })
    return { sources, requests: () => 0, close: async () => objects.close() }
  } catch (error) {
    objects.close()
    throw error
  }
}

async function openFileSources(plan: PipelinePlan, source: FileSourcePlan, context: FileContext): Promise<Source[]> {
  const { contract, maxLineBytes, tables } = plan.records
  const reading = { name: plan.name, contract, format: source.format, maxLineBytes }
  const { files, sources } = await openFiles(source.files, reading, context)
  await checkNotOutputs(files, plan)
  return readsGiven(tables) ? withVersions(sources, plan.name, source) : sources
}

async function checkNotOutputs(
  files: readonly FoundFile[],
  plan: Pick<PipelinePlan, 'name' | 'outputs' | 'report'>,
): Promise<void> {
  for (const output of listFixedPaths(plan.outputs, plan.report)) {
    const same = files.find(({ path }) => path === output || isRunPathOf(path, output))
    if (same !== undefined) throw readsOutput(same.path, plan.name)
    const there = statIfThere(output)
    for (const { path, stats } of files) {
      // Replacing an output leaves its other hard links unchanged.
      const isSame = stats !== null && stats.ino === there?.ino && stats.dev === there.dev
      if (isSame && (await toRealPath(path)) === (await toRealPath(output))) throw readsOutput(path, plan.name)
    }
  }
}

function statIfThere(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    // A path without stats can't be read as a source either.
    return null
  }
}

function readsOutput(path: string, name: string): CatalogueError {
  const message = `${name}: expected sources and outputs apart, got "${path}" as both`
  return new CatalogueError('CONFIG_INVALID', message, {
    fix: 'Read another file (`source.files` or `--from`), or write elsewhere (`path` of the output, or `--out`).',
  })
}

async function openServiceSources(
  { name, records, limits: { completeness }, report }: PipelinePlan,
  source: ServiceSourcePlan,
  { token, onWarning }: SourceContext,
): Promise<OpenedSources> {
  // Loaded lazily, as runs from files need no HTTP client.
  const { createServiceSources } = await import('../../service/read/create-service-sources.ts')
  const { baseUrl, credentials, partition, client, proxy, sourceIds } = source
  if (baseUrl === null || credentials === null) {
    throw new CatalogueError('CONFIG_INVALID', `${name}: expected baseUrl, keyId and keySecret to be set, got none`)
  }
  const { keyId, keySecret } = credentials
  const opened = createServiceSources(
    source,
    { baseUrl, keyId, keySecret, userAgent: client.userAgent, proxy },
    {
      requestsPerMinute: client.requestsPerMinute,
      limits: client.limits,
      retries: client.retries,
      maxLineBytes: records.maxLineBytes,
      incomplete: completeness === 'report' ? 'deliver' : 'fail',
      partition: partition ?? undefined,
      spoolPath: (window) => stagingPath(windowPath(report, window), { pid: process.pid, token }),
      onWarning,
    },
  )
  const { sources, client: http } = opened
  const version = productVersionOf(source.endpoint, records.contract)
  const located = sourceIds === null ? sources : sources.map((each) => locateMissing(each, sourceIds))
  return {
    sources: located.map((each) => withVersion(each, version)),
    requests: () => http.usage().requests,
    close: () => opened.close(),
  }
}

/** Adds to each missing identifier its line in the file of the list. */
function locateMissing(source: Source, { summary, identifiers }: SourceIdsPlan): Source {
  const locate = (list: MissingIdentifiers): MissingIdentifiers => {
    if (list.key !== summary.field) return list
    const missing = new Set(list.missing)
    const inFile = identifiers.flatMap(({ code, line, written }) =>
      missing.has(String(code)) ? [{ line, written }] : [],
    )
    return { ...list, inFile }
  }
  return {
    ...source,
    read(signal, buffers) {
      const reading = source.read(signal, buffers)
      const { notes } = reading
      if (notes === undefined) return reading
      return {
        ...reading,
        notes: () => {
          const report = notes()
          return { ...report, missing: report.missing.map(locate) }
        },
      }
    },
  }
}
