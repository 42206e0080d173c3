import { existsSync, statSync, type Stats } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { suits, type ContractName } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import type { Landing } from '../../manifest/manifest.ts'
import type { FileSourcePlan } from '../../plan/source/source-plan.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { findFiles } from '../../sources/find-files.ts'
import { createLandedSource } from '../../sources/landed-source.ts'
import { readLanding, toLandingManifestPath } from '../../sources/landing-manifest.ts'
import { createObjectSource, findObject } from '../../sources/object-source.ts'
import type { Source } from '../../sources/source.ts'
import { failedWith } from '../../storage/output-operation.ts'
import { journalPathFor, readJournal } from '../../storage/publication-journal.ts'
import { recoverPublication } from '../../storage/recover-publication.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { parseStagingName } from '../../storage/staging-names.ts'
import { isUnderWay } from '../frame.ts'

export interface FileReading {
  readonly name: string
  readonly contract: ContractName
  readonly format: FileSourcePlan['format']
  readonly maxLineBytes: number
}

export interface FileContext {
  readonly stdin: Readable
  readonly stdinName?: string | undefined
  readonly objects: ObjectReader
}

/**
 * Opens the sources of paths and globs. Also returns all files that belong to them, including manifests of landed
 * files. Throws SOURCE_NOT_FOUND, CONFIG_INVALID if a landed file holds another contract, and SOURCE_CHANGED while a
 * fetch replaces a file.
 */
export async function openFiles(
  paths: readonly string[],
  reading: FileReading,
  context: FileContext,
): Promise<{ readonly sources: Source[]; readonly files: readonly FoundFile[] }> {
  const found = (await findFiles(paths, context.objects)).map(toFoundFile)
  const sources = await Promise.all(found.map((file) => openFile(file, reading, context)))
  const landed = sources.filter((each) => each.landed !== undefined)
  return { sources, files: [...found, ...landed.map(({ name }) => toFoundFile(toLandingManifestPath(name)))] }
}

/** A file with its stats; null for standard input and objects. */
export interface FoundFile {
  readonly path: string
  readonly stats: Stats | null
}

/** Synchronous, since for thousands of files the thread pool takes longer than the call. */
function toFoundFile(path: string): FoundFile {
  return { path, stats: path === '-' || isObjectPath(path) ? null : statSync(path) }
}

async function openFile(
  { path, stats }: FoundFile,
  reading: FileReading,
  { stdin, stdinName, objects }: FileContext,
): Promise<Source> {
  const { format, maxLineBytes } = reading
  if (path === '-' && (stdin.readableEnded || stdin.destroyed)) throw readAlready(reading.name)
  if (isObjectPath(path)) {
    const landing = await openLanding(path, reading, objects)
    return createObjectSource(await findObject(path, objects), { objects, format, maxLineBytes, landing })
  }
  const canBeReadAgain = stats !== null && stats.isFile()
  const landing = canBeReadAgain && mayBeLanded(path) ? await openLanding(path, reading, objects) : null
  const source =
    landing === null
      ? createFileSource(path, stdin, { stdinName, format, maxLineBytes, canBeReadAgain })
      : createLandedSource(path, landing, { maxLineBytes, openAgain: () => openLanding(path, reading, objects) })
  return stats === null ? source : { ...source, bytes: stats.size }
}

function readAlready(name: string): CatalogueError {
  const message = `${name}: expected standard input that is still to be read, got one that was read or closed`
  return new CatalogueError('SOURCE_FAILED', message, { fix: 'Only one run can read it: land it in a file first.' })
}

/**
 * Reads the manifest beside a landed file; null for other files. Completes or undoes the publication of a killed fetch
 * first. Throws CONFIG_INVALID if the file holds another contract, and SOURCE_CHANGED while a fetch replaces it.
 */
async function openLanding(
  file: string,
  { name, contract }: FileReading,
  objects: ObjectReader,
): Promise<Landing | null> {
  if (!isObjectPath(file)) await finishOrUndo(file)
  const landing = await readLanding(file, objects)
  if (landing === null || suits(contract, landing.contract.name)) return landing
  const got = `${file}, which holds ${landing.contract.name} from ${landing.endpoint}`
  throw new CatalogueError('CONFIG_INVALID', `${name}: expected files of ${contract}, got ${got}`)
}

/** False if there is no manifest or journal of a fetch beside the file. */
function mayBeLanded(file: string): boolean {
  const manifest = toLandingManifestPath(file)
  return existsSync(journalPathFor(manifest)) || existsSync(manifest)
}

async function finishOrUndo(file: string): Promise<void> {
  const journalPath = journalPathFor(toLandingManifestPath(file))
  try {
    if (await isPublishedHere(journalPath))
      throw new CatalogueError('SOURCE_CHANGED', 'a fetch of this process is publishing it')
    await recoverPublication(journalPath)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    // With a file name of nearly maximum length there can be no journal beside it.
    if (failedWith(error.cause, 'ENAMETOOLONG')) return
    const message = `${file}: the file is being replaced: ${error.message}`
    throw new CatalogueError('SOURCE_CHANGED', message, { cause: error })
  }
}

/** Whether a fetch of this process publishes the file; recovery checks other processes only. */
async function isPublishedHere(journalPath: string): Promise<boolean> {
  const journal = await readJournal(journalPath, fs)
  const owners = journal?.entries.map(({ staging, destination }) => parseStagingName(basename(staging), destination))
  return owners?.some((owner) => owner?.pid === process.pid && isUnderWay(owner.token)) ?? false
}
