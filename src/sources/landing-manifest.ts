import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { isObjectPath } from '../storage/s3/object-path.ts'
import type { ObjectReader } from '../storage/s3/object-reader.ts'
import { CatalogueError } from '../errors.ts'
import type { SourceNotes } from './source.ts'
import type { Completeness } from '../manifest/manifest.ts'

/**
 * The manifest of a file that `fetch` landed, beside it as `FILE.manifest.json`: the origin of its lines, and the proof that
 * they are complete. It holds no credentials.
 */
export interface LandingManifest {
  /** Distinguishes it from any other file of that name. */
  readonly kind: 'landing'
  /** The version of this shape. */
  readonly format: 1
  readonly tool: { readonly name: string; readonly version: string }
  readonly pipeline: string
  readonly contract: { readonly name: string; readonly version: number }
  /** `v4/products/stream` */
  readonly endpoint: string
  /** The address of the service, before `/v4`. */
  readonly baseUrl: string
  /** The request, dates as unix seconds. */
  readonly request: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly filter: unknown
    readonly sorting: unknown
    readonly page: unknown
    readonly partition: unknown
    /** The file of a list of identifiers. */
    readonly sourceIds?: { readonly file: string; readonly field: string } | undefined
  }
  /** ISO 8601, UTC, by the clock of this machine. */
  readonly startedAt: string
  readonly finishedAt: string
  /** The same by the service's clock; null where it sends none. */
  readonly firstAnswerAt: string | null
  readonly lines: number
  /** Bytes of the lines, before compression. */
  readonly bytes: number
  /** The file as it stands on disk, after compression. */
  readonly file: { readonly bytes: number; readonly sha256: string }
  readonly completeness: Completeness
  readonly notes: Omit<SourceNotes, 'firstAnswerAt'>
}

/** The part of it that a run needs. */
export type Landing = Pick<
  LandingManifest,
  'pipeline' | 'contract' | 'endpoint' | 'baseUrl' | 'startedAt' | 'firstAnswerAt' | 'file' | 'completeness' | 'notes'
> & { readonly request: Pick<LandingManifest['request'], 'filter' | 'sourceIds'> }

const extension = '.manifest.json'

export function toLandingManifestPath(file: string): string {
  return file + extension
}

/** True where the file of this name is the manifest of a landing, and so no data. */
export async function isLandingManifest(path: string, objects: ObjectReader): Promise<boolean> {
  return path.endsWith(extension) && (await readMarked(path, objects)) !== null
}

/**
 * Reads the manifest beside a file; null where there is none, or another file of that name. Throws SOURCE_FAILED where it
 * can't be parsed.
 */
export async function readLanding(file: string, objects: ObjectReader): Promise<Landing | null> {
  const path = toLandingManifestPath(file)
  const marked = await readMarked(path, objects)
  if (marked === null) return null
  const { data, error } = createLandingSchema().safeParse(marked)
  if (data !== undefined) return data
  const [issue] = error.issues
  const got = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  const message = `${path}: expected a landing manifest of format 1, got another (${got}); fetch ${file} again`
  throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
}

/** The JSON of a file that is marked as the manifest of a landing. */
async function readMarked(path: string, objects: ObjectReader): Promise<object | null> {
  const text = isObjectPath(path) ? ((await objects.get(path))?.toString() ?? null) : await readText(path)
  const value = text === null ? null : parse(text)
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'landing' ? value : null
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (nothingThere.has((error as NodeJS.ErrnoException).code ?? '')) return null
    const message = `${path}: expected a readable landing manifest, got: ${(error as Error).message}`
    throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
  }
}

const nothingThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A file of another program need not be JSON.
    return null
  }
}

/** Made for each manifest: most runs read none. */
function createLandingSchema() {
  const count = z.int().min(0)
  return z.object({
    format: z.literal(1),
    pipeline: z.string(),
    contract: z.object({ name: z.string(), version: z.number() }),
    endpoint: z.string(),
    baseUrl: z.string(),
    request: z.object({
      filter: z.unknown(),
      sourceIds: z.object({ file: z.string(), field: z.string() }).optional(),
    }),
    startedAt: z.iso.datetime(),
    firstAnswerAt: z.iso.datetime().nullable(),
    file: z.object({ bytes: count, sha256: z.string() }),
    completeness: z.object({
      status: z.enum(['proven', 'unprovable', 'incomplete']),
      reasons: z.array(z.string()),
      total: count.nullable(),
    }),
    notes: z.object({
      requests: z.number().optional(),
      waitedMs: z.number().optional(),
      repeats: z.array(z.string()),
      changes: z.array(z.string()),
      skippedRecords: count,
      missing: z.array(
        z.object({
          key: z.string(),
          asked: count,
          missing: z.array(z.string()),
          inFile: z.array(z.object({ line: count, written: z.string() })).optional(),
        }),
      ),
    }),
  }) satisfies z.ZodType<Landing>
}
