import { Readable } from 'node:stream'
import { CatalogueError } from '../errors.ts'
import type { FoundObject, ObjectReader } from '../storage/s3/object-reader.ts'
import type { ByteChunks } from '../records/block.ts'
import { createFileSource, type FileSourceOptions } from './file-source.ts'
import { createLandedSource } from './landed-source.ts'
import { readLanding } from './landing-manifest.ts'
import type { Landing } from '../manifest/manifest.ts'
import { createRangeSource } from './range-source.ts'
import type { Source } from './source.ts'

export interface ObjectSourceOptions extends Pick<FileSourceOptions, 'format' | 'maxLineBytes'> {
  readonly objects: ObjectReader
  /** A range of uncompressed lines, as for `createRangeSource`; without it, the whole object is read. */
  readonly range?: { readonly from: number; readonly until: number | null }
  /** The manifest beside an object that `fetch` landed; null for any other. */
  readonly landing?: Landing | null
}

/**
 * An object of lines or one JSON document, gzip or not, as a source. Every reading reads the version that was found.
 */
export function createObjectSource(object: FoundObject, options: ObjectSourceOptions): Source {
  return { ...createSource(object, options), bytes: options.range ? lengthOf(object, options.range) : object.bytes }
}

function createSource(object: FoundObject, options: ObjectSourceOptions): Source {
  const { objects, format, maxLineBytes, range, landing = null } = options
  const { path } = object
  const readBytes = (signal: AbortSignal): ByteChunks => objects.read(object, { ...range, signal })
  if (range !== undefined) return createRangeSource(path, { name: path, ...range, maxLineBytes, readBytes })
  if (landing === null) return createFileSource(path, Readable.from([]), { format, maxLineBytes, readBytes })
  return createLandedSource(path, landing, { maxLineBytes, readBytes, openAgain: () => readLanding(path, objects) })
}

function lengthOf({ bytes }: FoundObject, { from, until }: NonNullable<ObjectSourceOptions['range']>): number {
  return (until ?? bytes) - from
}

/** Throws SOURCE_NOT_FOUND if the object does not exist. */
export async function findObject(path: string, objects: ObjectReader): Promise<FoundObject> {
  const object = await objects.find(path)
  if (object !== null) return object
  throw new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected a file, got nothing there`)
}
