import type { Readable } from 'node:stream'
import { clearStale, type Frame, inFrame, newToken } from '../engine/frame.ts'
import { unobserved } from '../engine/observe/observe-run.ts'
import { runPlan } from '../engine/run/run-pipeline.ts'
import type { RunProgress } from '../engine/run/transform.ts'
import { CatalogueError } from '../errors.ts'
import { systemClock, type Clock } from '../service/http/clock.ts'
import { readToolVersion } from '../package-file.ts'
import { describeExcess } from '../plan/count-limit.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { OutputsPlan } from '../plan/outputs/outputs-plan.ts'
import type { RecordsPlan } from '../plan/records/records-plan.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { createLocalStorage } from '../storage/local-storage.ts'
import { StagedSet } from '../storage/staged-set.ts'
import type { WrittenFile } from '../storage/staged-file.ts'
import { parseObject } from '../records/json/json-values.ts'
import type { RunContext } from '../run-context.ts'
import { toFileKey, type WantedFile, compileChoice, type ListedRow } from './choose-files.ts'
import { FileDownload, type MediaCounts } from './download-files.ts'
import { KeyIndex } from './key-index.ts'
import type { KnownFiles } from './known-files.ts'
import { mediaEntry } from './media-entry.ts'
import { MediaFolder } from './media-folder.ts'
import { checkOwner, toReasonCounts, type MediaManifest } from './media-manifest.ts'
import { createMediaTransport } from './media-transport.ts'
import { hasPublicHost } from './public-address.ts'
import { readLinesOf } from './read-lines.ts'
import { EntryWriter, toEntry, type WrittenEntries } from './write-entries.ts'
import type { Manifest } from '../manifest/manifest.ts'

export interface MediaOptions extends Omit<RunContext, 'token'> {
  readonly to: string
  /** Reads only the first lines of the source, as a sample. Removes no files. */
  readonly limit?: number | undefined
  readonly wait?: boolean | number | undefined
  readonly stdin?: Readable | undefined
  readonly clock?: Clock | undefined
  readonly onListProgress?: ((progress: RunProgress) => void) | undefined
  readonly onProgress?: ((counts: Readonly<MediaCounts>) => void) | undefined
}

export interface MediaPreview {
  readonly files: number
  /** How many of `files` are present: they are requested only if changed. */
  readonly there: number
  readonly withoutAddress: number
  /** How many of `files` have a private or local address, refused without `allowPrivate`. */
  readonly refusedAddress: number
  readonly examples: readonly WantedFile[]
}

/**
 * Downloads the files of a pipeline's records into a folder. Reads the records as a run does, with contract and
 * completeness, then their files. Publishes `_media.json` and returns it, or throws a CatalogueError and keeps the
 * former one. Complete files stay, and the next call continues from them.
 */
export async function downloadMedia(plan: PipelinePlan, options: MediaOptions): Promise<MediaManifest> {
  return withFolder(plan, options, async (work) => {
    const startedAt = new Date()
    const report = await listFiles(plan, work, options)
    const download = await downloadListed(work, options)
    return publishEntries(plan.name, work, { report, download, startedAt }, options)
  })
}

/** Counts what would be downloaded without requesting a file. Writes nothing but the list, which is removed again. */
export async function previewMedia(plan: PipelinePlan, options: MediaOptions): Promise<MediaPreview> {
  return withFolder(plan, options, async (work) => {
    await listFiles(plan, work, options)
    const seen = new KeyIndex()
    const examples: WantedFile[] = []
    let [there, withoutAddress, refusedAddress] = [0, 0, 0]
    for await (const file of work.wanted()) {
      if (file.url === null) withoutAddress++
      const key = toFileKey(file)
      if (file.url === null || seen.has(key)) continue
      seen.set(key, 0)
      if (!work.media.allowPrivate && isRefused(file.url)) refusedAddress++
      if (examples.length < 5) examples.push(file)
      const stored = work.known.get(key)?.stored ?? null
      if (stored !== null && (await work.folder.has(stored))) there++
    }
    if (work.known.isEmpty) await work.folder.removeWork()
    return { files: seen.size, there, withoutAddress, refusedAddress, examples }
  })
}

function isRefused(url: string): boolean {
  return URL.canParse(url) && !hasPublicHost(new URL(url))
}

interface Work {
  readonly media: MediaPlan
  readonly folder: MediaFolder
  readonly known: KnownFiles
  readonly storage: FileStorage
  readonly confirmLock: Frame['confirmLock']
  readonly token: string
  /** Reads the files that the list asks for; may be called repeatedly. */
  readonly wanted: () => AsyncIterable<WantedFile>
}

async function withFolder<Result>(
  plan: PipelinePlan,
  { to, wait = false, signal, onWarning }: MediaOptions,
  use: (work: Work) => Promise<Result>,
): Promise<Result> {
  const media = requireMedia(plan.name, plan.outputs)
  const token = newToken()
  const folder = new MediaFolder(to, token)
  const frame = {
    name: plan.name,
    noun: 'download',
    run: token,
    lock: folder.manifestPath,
    wait,
    storage: createLocalStorage(),
    homes: [folder.manifestPath, folder.missingPath],
    abandon: async ({ code, outputs }: CatalogueError) => (code === 'LOCKED' ? outputs : filesStay),
    unchanged: filesStay,
    signal,
    onWarning,
  }
  return inFrame(frame, async ({ storage, releases, confirmLock }) => {
    await checkOwner(folder.manifestPath, plan.name)
    await clearStale([folder.manifestPath, folder.entriesPath, folder.missingPath], storage)
    await folder.create()
    const known = await folder.openKnown()
    releases.push(async () => known.close())
    const wanted = () => readWanted(folder.listPath, media, plan.records)
    return use({ media, folder, known, storage, confirmLock, token, wanted })
  })
}

function requireMedia(name: string, { media }: OutputsPlan): MediaPlan {
  if (media !== undefined) return media
  throw new CatalogueError('CONFIG_INVALID', `${name}: expected a plan of what to download, got none`)
}

const filesStay =
  'The manifest is as it was. Files that were complete stay: the next command downloads only what is missing.'

async function listFiles(plan: PipelinePlan, { media, folder }: Work, options: MediaOptions): Promise<Manifest> {
  const { limit, stdin, signal, env, onWarning, onListProgress: onProgress } = options
  return runPlan(toListPlan(plan, media, folder), {
    limit,
    stdin,
    signal,
    env,
    onWarning,
    onProgress,
    observation: unobserved,
  })
}

function toListPlan(plan: PipelinePlan, media: MediaPlan, folder: MediaFolder): PipelinePlan {
  const { store: _store, tombstones: _tombstones, ...records } = plan.records
  return {
    ...plan,
    records: { ...records, tables: [media.table], where: [...records.where, ...media.where] },
    outputs: {
      ...plan.outputs,
      files: [
        {
          table: 0,
          path: folder.listPath,
          format: { format: 'ndjson' },
          gzip: false,
          mode: 'snapshot',
          removed: 'drop',
          partitionBy: [],
          rowsPerFile: null,
          bytesPerFile: null,
        },
      ],
      stateful: null,
    },
    report: {
      ...plan.report,
      rejects: { path: folder.rejectsPath },
      manifest: { path: folder.listManifestPath },
    },
  }
}

async function downloadListed(work: Work, options: MediaOptions): Promise<FileDownload> {
  const { media, folder, known } = work
  const {
    signal = new AbortController().signal,
    env = process.env,
    clock = systemClock,
    now = Date.now,
    onProgress,
  } = options
  const transport = createMediaTransport(media, { env })
  const download = new FileDownload(media, folder, known, {
    transport,
    clock,
    now,
    signal,
    onProgress: onProgress ?? (() => undefined),
  })
  try {
    await download.run(work.wanted())
    return download
  } finally {
    await transport.close()
  }
}

interface Downloaded {
  readonly report: Manifest
  readonly download: FileDownload
  readonly startedAt: Date
}

/**
 * Writes and publishes the entries. If too many files are missing, publishes only `_missing.ndjson`. After publication,
 * removes files of earlier downloads, unless the list was a sample or incomplete.
 */
async function publishEntries(
  name: string,
  work: Work,
  { report, download, startedAt }: Downloaded,
  { limit }: MediaOptions,
): Promise<MediaManifest> {
  const { folder, storage, confirmLock, token, media } = work
  const isWhole = limit === undefined && report.completeness.status !== 'incomplete'
  const set = new StagedSet({ storage, token })
  try {
    const all = await set.open(folder.entriesPath)
    const missing = await set.open(folder.missingPath)
    const entries = new EntryWriter(all, missing)
    const said = new KeyIndex()
    for await (const file of work.wanted()) {
      if (!isWhole) said.set(toLineKey(file), 0)
      await entries.add(toEntry(file, work.known))
    }
    if (!isWhole) await addEarlier(entries, said, work, download)
    const written = await entries.finish()
    await confirmLock()
    const excess = describeMissing(media, download.counts)
    if (excess !== null) {
      await set.publish({ files: [], manifest: missing })
      throw tooManyMissing(name, excess, written.reasons, folder)
    }
    const obsolete = isWhole && !media.keepsObsolete ? await listObsolete(work, written.names) : []
    const manifest = toManifest(name, media, { report, download, startedAt }, { ...written, removed: obsolete.length })
    const manifestFile = await set.write(folder.manifestPath, `${JSON.stringify(manifest, null, 2)}\n`)
    await folder.sync()
    await set.publish({ manifest: manifestFile })
    for (const file of obsolete) await folder.removeFile(file)
    await folder.removeWork()
    return manifest
  } finally {
    await set.discard().catch(() => undefined)
  }
}

function toManifest(
  pipeline: string,
  media: MediaPlan,
  { report, download, startedAt }: Downloaded,
  written: WrittenEntries & { readonly all: WrittenFile; readonly removed: number },
): MediaManifest {
  return {
    kind: 'media',
    format: 1,
    tool: readToolVersion(),
    pipeline,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    list: {
      runId: report.runId,
      contract: report.contract.name,
      sources: report.sources.map(({ name }) => name),
      lines: report.ledger.lines,
      rejected: report.ledger.rejected,
      completeness: report.completeness.status,
    },
    from: media.from,
    formats: media.formats?.map(({ name }) => name) ?? null,
    files: { ...download.counts },
    entries: {
      path: '_media.ndjson',
      lines: written.lines,
      sha256: written.all.sha256,
      ...written.statuses,
      reasons: toReasonCounts(written.reasons),
    },
    removed: written.removed,
  }
}

/**
 * Adds entries of earlier downloads that a sample does not cover. If the sample has the same file in another record,
 * the entry gets the file's outcome.
 */
async function addEarlier(
  entries: EntryWriter,
  said: KeyIndex,
  { folder, known }: Work,
  download: FileDownload,
): Promise<void> {
  for await (const { text } of readLinesOf(folder.entriesPath)) {
    const entry = mediaEntry.safeParse(parseObject(text)).data
    if (entry === undefined) continue
    const { url, file } = entry
    const isHandled = download.hasHandled(toFileKey(entry))
    // A file without an address now stays listed: a whole download removes it.
    if (said.has(toLineKey(entry)) && (isHandled || file === undefined)) continue
    await entries.add(isHandled && url !== undefined ? toEntry({ ...entry, url }, known) : entry)
  }
}

function toLineKey(file: Pick<WantedFile, 'record' | 'id' | 'format' | 'locale'>): string {
  return JSON.stringify([file.record, toFileKey(file)])
}

async function listObsolete({ known, folder }: Work, names: KeyIndex): Promise<string[]> {
  const obsolete = new Set<string>()
  for await (const stored of known.files())
    if (!names.has(stored.file) && (await folder.has(stored))) obsolete.add(stored.file)
  return [...obsolete]
}

function describeMissing({ maxMissing }: MediaPlan, { files, missing, stale }: MediaCounts): string | null {
  return describeExcess(maxMissing, missing + stale, files, 'files to fail')
}

function tooManyMissing(
  name: string,
  excess: string,
  counts: WrittenEntries['reasons'],
  folder: MediaFolder,
): CatalogueError {
  const reasons = Object.entries(toReasonCounts(counts)).map(([reason, count]) => `${count} ${reason}`)
  const message = `${name}: ${excess}; ${folder.missingPath} has each with its reason: ${reasons.join(', ')}`
  return new CatalogueError('MEDIA_MISSING', message, counts.has('refused-address') ? { fix: allowPrivateFix } : {})
}

const allowPrivateFix =
  'Read the reasons in `_missing.ndjson`. Files on a private or local address, such as those of a sandbox, are downloaded only with `--allow-private` (`media.allowPrivate`). Then run again: files that are present are not downloaded again.'

/** Yields the files that a list of rows asks for, in its order. Holds the rows of one record at a time. */
async function* readWanted(
  path: string,
  media: MediaPlan,
  { locales }: Pick<RecordsPlan, 'locales'>,
): AsyncGenerator<WantedFile> {
  const choose = compileChoice(media, locales)
  let rows: ListedRow[] = []
  for await (const { text } of readLinesOf(path)) {
    const row = JSON.parse(text) as ListedRow
    const isSame = media.from !== '$' && rows[0]?.[media.recordColumn] === row[media.recordColumn]
    if (!isSame && rows.length > 0) {
      yield* choose(rows)
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) yield* choose(rows)
}
