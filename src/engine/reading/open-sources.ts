import { existsSync, statSync, type Stats } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { suits } from '../../contracts/contracts.ts'
import { productVersionOf, withVersion } from '../../contracts/given-values.ts'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath, isRunPathOf } from '../../storage/s3/object-path.ts'
import { createObjectReader } from '../../storage/s3/create-object-reader.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import type { FileSourcePlan, ServiceSourcePlan } from '../../plan/source/source-plan.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { RecordsPlan } from '../../plan/records/records-plan.ts'
import type { SourceIdsPlan } from '../../plan/source/source-ids-plan.ts'
import { failedWith } from '../../storage/output-operation.ts'
import { journalPathFor, readJournal } from '../../storage/publication-journal.ts'
import { recoverPublication } from '../../storage/recover-publication.ts'
import { parseStagingName, stagingPath } from '../../storage/staging-names.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { readsGiven } from '../../records/flatten/flatten-record.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { findFiles, toRealPath } from '../../sources/find-files.ts'
import { createLandedSource } from '../../sources/landed-source.ts'
import { readLanding, toLandingManifestPath } from '../../sources/landing-manifest.ts'
import { createObjectSource, findObject } from '../../sources/object-source.ts'
import type { Source } from '../../sources/source.ts'
import { isUnderWay } from '../frame.ts'
import { listFixedPaths, windowPath } from '../side-files.ts'
import type { Landing, MissingIdentifiers } from '../../manifest/manifest.ts'

export interface SourceContext extends RequiredContext<'token'>, Pick<RunContext, 'onWarning' | 'env'> {
  readonly stdin: Readable
}

export interface OpenedSources {
  readonly sources: readonly Source[]
  /** The number of requests that were sent to the service so far. */
  readonly requests: () => number
  /** Closes the connections that the sources hold. */
  readonly close: () => Promise<void>
}

/** The sources of a plan, found but not yet read. Throws SOURCE_NOT_FOUND or CONFIG_INVALID. */
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

interface FileContext extends SourceContext {
  readonly objects: ObjectReader
}

async function openFileSources(plan: PipelinePlan, source: FileSourcePlan, context: FileContext): Promise<Source[]> {
  const found = await findFiles(source.files, context.objects)
  const files = found.map((path) => toFoundFile(path))
  const sources = await Promise.all(files.map((file) => openFileSource(file, plan.name, plan.records, source, context)))
  const landed = sources.filter((each) => each.landed !== undefined)
  await checkNotOutputs([...files, ...landed.map(({ name }) => toFoundFile(toLandingManifestPath(name)))], plan)
  if (!readsGiven(plan.records.tables)) return sources
  // Most runs load nothing of it.
  return (await import('../../plan/source/find-version.ts')).withVersions(sources, plan.name, source)
}

/** A file and what the system says of it; null of standard input and of objects. */
interface FoundFile {
  readonly path: string
  readonly stats: Stats | null
}

/** Asks in this thread: for thousands of files the way to another one takes longer than the answer. */
function toFoundFile(path: string): FoundFile {
  return { path, stats: path === '-' || isObjectPath(path) ? null : statSync(path) }
}

async function openFileSource(
  { path, stats }: FoundFile,
  name: string,
  records: RecordsPlan,
  { format }: FileSourcePlan,
  { stdin, objects }: FileContext,
): Promise<Source> {
  const { maxLineBytes } = records
  if (isObjectPath(path)) {
    const landing = await openLanding(path, name, records, objects)
    return createObjectSource(await findObject(path, objects), { objects, format, maxLineBytes, landing })
  }
  const canBeReadAgain = stats !== null && stats.isFile()
  const landing = canBeReadAgain && mayBeLanded(path) ? await openLanding(path, name, records, objects) : null
  const source =
    landing === null
      ? createFileSource(path, stdin, { format, maxLineBytes, canBeReadAgain })
      : createLandedSource(path, landing, { maxLineBytes, openAgain: () => openLanding(path, name, records, objects) })
  return stats === null ? source : { ...source, bytes: stats.size }
}

/** A run must not replace what it reads, by whatever name. */
async function checkNotOutputs(
  files: readonly FoundFile[],
  plan: Pick<PipelinePlan, 'name' | 'outputs' | 'report'>,
): Promise<void> {
  for (const output of listFixedPaths(plan.outputs, plan.report)) {
    const same = files.find(({ path }) => path === output || isRunPathOf(path, output))
    if (same !== undefined) throw readsOutput(same.path, plan.name)
    const there = statIfThere(output)
    for (const { path, stats } of files) {
      // A hard link keeps what it has when an output is replaced.
      const isSame = stats !== null && stats.ino === there?.ino && stats.dev === there.dev
      if (isSame && (await toRealPath(path)) === (await toRealPath(output))) throw readsOutput(path, plan.name)
    }
  }
}

function statIfThere(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    // Nothing can be read there either.
    return null
  }
}

function readsOutput(path: string, name: string): CatalogueError {
  const message = `${name}: expected sources and outputs apart, got "${path}" as both`
  return new CatalogueError('CONFIG_INVALID', message, {
    fix: 'Read another file (`source.files` or `--from`), or write elsewhere (`path` of the output, or `--out`).',
  })
}

/** The sources of a plan that reads from the service. Nothing is sent before they are read. */
async function openServiceSources(
  { name, records, limits: { completeness }, report }: PipelinePlan,
  source: ServiceSourcePlan,
  { token, onWarning }: SourceContext,
): Promise<OpenedSources> {
  // Loading the HTTP client takes time that runs from files don't pay.
  const [{ createServiceSources }, { sharedRequestBudget }] = await Promise.all([
    import('../../service/read/create-service-sources.ts'),
    import('../../service/http/request-budget-registry.ts'),
  ])
  const { baseUrl, credentials, partition, client, proxy, sourceIds } = source
  if (baseUrl === null || credentials === null) {
    throw new CatalogueError('CONFIG_INVALID', `${name}: expected baseUrl, keyId and keySecret to be set, got none`)
  }
  const { keyId, keySecret } = credentials
  const opened = createServiceSources(
    source,
    { baseUrl, keyId, keySecret, userAgent: client.userAgent, proxy },
    {
      budget: sharedRequestBudget({ baseUrl, keyId }),
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

/** The same source, with notes that give the line in the file of the list for each missing identifier. */
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

/**
 * Reads the manifest beside a source file that `fetch` landed; null for any other file. Finishes or undoes the publication
 * of a killed fetch first. Throws CONFIG_INVALID where the file holds records
 * of another contract, SOURCE_CHANGED while a fetch puts them in place.
 */
async function openLanding(
  file: string,
  name: string,
  records: RecordsPlan,
  objects: ObjectReader,
): Promise<Landing | null> {
  if (!isObjectPath(file)) await finishOrUndo(file)
  const landing = await readLanding(file, objects)
  if (landing === null || suits(records.contract, landing.contract.name)) return landing
  const got = `${file}, which holds ${landing.contract.name} from ${landing.endpoint}`
  throw new CatalogueError('CONFIG_INVALID', `${name}: expected files of ${records.contract}, got ${got}`)
}

/** False where nothing is beside the file that a fetch leaves or is about to finish. */
function mayBeLanded(file: string): boolean {
  const manifest = toLandingManifestPath(file)
  return existsSync(journalPathFor(manifest)) || existsSync(manifest)
}

async function finishOrUndo(file: string): Promise<void> {
  const journalPath = journalPathFor(toLandingManifestPath(file))
  try {
    if (await isPublishedHere(journalPath))
      throw new CatalogueError('SOURCE_CHANGED', 'a fetch of this process that does just that')
    await recoverPublication(journalPath)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    // Nothing can be beside a file whose own name is nearly too long.
    if (failedWith(error.cause, 'ENAMETOOLONG')) return
    const message = `${file}: expected a file that nobody puts in place right now, got: ${error.message}`
    throw new CatalogueError('SOURCE_CHANGED', message, { cause: error })
  }
}

/** True while a fetch of this process publishes the file; recovery takes care of other processes only. */
async function isPublishedHere(journalPath: string): Promise<boolean> {
  const journal = await readJournal(journalPath, fs)
  const owners = journal?.entries.map(({ staging, destination }) => parseStagingName(basename(staging), destination))
  return owners?.some((owner) => owner?.pid === process.pid && isUnderWay(owner.token)) ?? false
}
