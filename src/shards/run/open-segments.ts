import { statSync, type Stats } from 'node:fs'
import { Readable } from 'node:stream'
import { CatalogueError } from '../../errors.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { createLandedSource, toLandedFrom } from '../../sources/landed-source.ts'
import { type Landing, readLanding } from '../../sources/landing-manifest.ts'
import { createRangeSource } from '../../sources/range-source.ts'
import type { Source } from '../../sources/source.ts'
import { bytesOf, isRange } from '../plan/cut-segments.ts'
import type { Segment, Shard, ShardedPipeline } from '../shard-plan.ts'

/** The segments of a shard as sources. Throws SOURCE_NOT_FOUND, or SOURCE_CHANGED for a file that is not as it was planned. */
export async function openSegments({ segments }: Shard, pipeline: ShardedPipeline): Promise<Source[]> {
  const sources: Source[] = []
  for (const segment of segments) sources.push(await openSegment(segment, pipeline))
  return sources
}

async function openSegment(segment: Segment, { records, source }: ShardedPipeline): Promise<Source> {
  const { name, path, from, until, landed } = segment
  checkUnchanged(segment, findStats(segment))
  const { maxLineBytes } = records
  const bytes = bytesOf(segment)
  const landing = landed === undefined ? null : await readPlannedLanding(segment)
  if (isRange(segment)) {
    const origin = landing && { landed: toLandedFrom(landing) }
    return { ...createRangeSource(path, { name, from, until, maxLineBytes }), bytes, ...origin }
  }
  const options = { format: source.format, maxLineBytes, canBeReadAgain: true }
  if (landing === null) return { ...createFileSource(path, Readable.from([]), options), name, bytes }
  const openAgain = () => readLanding(path)
  return { ...createLandedSource(path, landing, { maxLineBytes, openAgain }), name, bytes }
}

/** The landing of a file that was landed when the plan was made. */
async function readPlannedLanding(segment: Segment): Promise<Landing> {
  const landing = await readLanding(segment.path)
  if (landing === null || landing.file.sha256 !== segment.landed)
    throw changed(segment, 'the file as it was landed', 'another one')
  return landing
}

function findStats({ name, path }: Segment): Stats {
  try {
    return statSync(path)
  } catch (error) {
    const message = `${name}: expected the file that was planned, got: ${(error as Error).message}`
    throw new CatalogueError('SOURCE_NOT_FOUND', message, { cause: error, fix: notFoundFix })
  }
}

const notFoundFix =
  'Every machine has to see the files under the paths that they had when the plan was made: mount them there, or plan again.'

function checkUnchanged(segment: Segment, { size, mtime }: Stats): void {
  const { size: planned, modified } = segment
  if (size !== planned) throw changed(segment, `${planned} bytes`, `${size}`)
  // Ranges of two versions would be mixed. A copy of a whole file is as good as the file.
  if (isRange(segment) && mtime.toISOString() > modified)
    throw changed(segment, `a file that was last changed at ${modified}`, mtime.toISOString())
}

function changed({ name }: Segment, expected: string, got: string): CatalogueError {
  return new CatalogueError('SOURCE_CHANGED', `${name}: expected ${expected}, as it was planned, got ${got}`, {
    fix: 'Put the file back, or make the plan again.',
  })
}
