import { withVersion } from '../../contracts/given-values.ts'
import { statSync, type Stats } from 'node:fs'
import { Readable } from 'node:stream'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { createLandedSource, toLandedFrom } from '../../sources/landed-source.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import type { Landing } from '../../manifest/manifest.ts'
import { createObjectSource } from '../../sources/object-source.ts'
import { createRangeSource } from '../../sources/range-source.ts'
import type { Source } from '../../sources/source.ts'
import { bytesOf, isRange } from '../plan/cut-segments.ts'
import type { Segment, Shard, ShardedPipeline } from '../shard-plan.ts'

/**
 * Opens the segments of a shard as sources. Throws SOURCE_NOT_FOUND, or SOURCE_CHANGED for a file that has changed
 * since it was planned.
 */
export async function openSegments(
  { segments }: Shard,
  pipeline: ShardedPipeline,
  objects: ObjectReader,
): Promise<Source[]> {
  const sources: Source[] = []
  for (const segment of segments) {
    const { interfaceVersion } = segment
    const source = await openSegment(segment, pipeline, objects)
    sources.push(withVersion(source, interfaceVersion))
  }
  return sources
}

async function openSegment(segment: Segment, pipeline: ShardedPipeline, objects: ObjectReader): Promise<Source> {
  if (isObjectPath(segment.path)) return openObjectSegment(segment, pipeline, objects)
  const { records, source } = pipeline
  const { name, path, from, until, landed } = segment
  checkUnchanged(segment, findStats(segment))
  const { maxLineBytes } = records
  const bytes = bytesOf(segment)
  const landing = landed === undefined ? null : await readPlannedLanding(segment, objects)
  if (isRange(segment)) {
    const origin = landing && { landed: toLandedFrom(landing) }
    return { ...createRangeSource(path, { name, from, until, maxLineBytes }), bytes, ...origin }
  }
  const options = { format: source.format, maxLineBytes, canBeReadAgain: true }
  if (landing === null) return { ...createFileSource(path, Readable.from([]), options), name, bytes }
  const openAgain = () => readLanding(path, objects)
  return { ...createLandedSource(path, landing, { maxLineBytes, openAgain }), name, bytes }
}

async function openObjectSegment(
  segment: Segment,
  { records, source }: ShardedPipeline,
  objects: ObjectReader,
): Promise<Source> {
  const { path, from, until } = segment
  const object = await objects.find(path)
  if (object === null) throw notFound(segment, 'nothing there')
  const { bytes: size, etag } = object
  checkSize(segment, size)
  if (isRange(segment) && etag !== null && segment.etag !== undefined && etag !== segment.etag)
    throw changed(segment, `the version ${segment.etag}`, etag)
  const landing = segment.landed === undefined ? null : await readPlannedLanding(segment, objects)
  const options = { objects, format: source.format, maxLineBytes: records.maxLineBytes }
  if (!isRange(segment)) return createObjectSource(object, { ...options, landing })
  const origin = landing && { landed: toLandedFrom(landing) }
  return { ...createObjectSource(object, { ...options, range: { from, until } }), ...origin }
}

/** The landing manifest that a segment's file had when the plan was made. Throws SOURCE_CHANGED for another one. */
async function readPlannedLanding(segment: Segment, objects: ObjectReader): Promise<Landing> {
  const landing = await readLanding(segment.path, objects)
  if (landing === null || landing.file.sha256 !== segment.landed)
    throw changed(segment, 'the file as it was landed', 'another one')
  return landing
}

function findStats(segment: Segment): Stats {
  try {
    return statSync(segment.path)
  } catch (error) {
    throw notFound(segment, (error as Error).message, error)
  }
}

function notFound({ name }: Segment, got: string, cause?: unknown): CatalogueError {
  const message = `${name}: expected the file that was planned, got: ${got}`
  return new CatalogueError('SOURCE_NOT_FOUND', message, { cause, fix: notFoundFix })
}

const notFoundFix =
  'Every machine has to see the files under the paths that they had when the plan was made: mount them there, or plan again.'

function checkUnchanged(segment: Segment, { size, mtime }: Stats): void {
  const { modified } = segment
  checkSize(segment, size)
  // Ranges of two versions would be mixed. A copy of a whole file is as good as the file.
  if (isRange(segment) && mtime.toISOString() > modified)
    throw changed(segment, `a file that was last changed at ${modified}`, mtime.toISOString())
}

function checkSize(segment: Segment, size: number): void {
  if (size !== segment.size) throw changed(segment, `${segment.size} bytes`, `${size}`)
}

function changed({ name }: Segment, expected: string, got: string): CatalogueError {
  return new CatalogueError('SOURCE_CHANGED', `${name}: expected ${expected}, as it was planned, got ${got}`, {
    fix: 'Put the file back, or make the plan again.',
  })
}
