import type { z } from 'zod'
import { CatalogueError, toOutputCode } from '../errors.ts'
import type { Manifest, PublishedManifest } from './manifest.ts'
import { tryJson } from './try-json.ts'
import { upgradeManifest } from './upgrade-manifest.ts'

export interface ManifestStorage {
  read(path: string): Promise<Uint8Array | null>
}

/**
 * Whose manifest is wanted. `own` throws STATE_INVALID for any other file. `ownOrNull` gives null for another file, but
 * throws STATE_INVALID for the format of a later version. `anyones` gives null for a file that is no manifest.
 */
export type WantedManifest = { readonly own: string } | { readonly ownOrNull: string } | 'anyones'

/** The manifest of a published run; null if there is no file. */
export async function readManifest(
  path: string,
  wanted: WantedManifest,
  storage: ManifestStorage,
): Promise<PublishedManifest | null> {
  const text = await readManifestText(path, storage)
  if (text === null) return null
  if (wanted === 'anyones') return (await parseQuietly(text, path))?.manifest ?? null
  if ('ownOrNull' in wanted) {
    const { manifest } = await parseManifest(tryJson(text), path)
    return manifest?.pipeline === wanted.ownOrNull ? manifest : null
  }
  const { manifest, problem } = await parseManifest(parseJson(text, path), path)
  if (manifest === null) throw invalid(path, `expected the manifest of a run, got another file (${problem})`)
  if (manifest.pipeline !== wanted.own) throw ofAnother(path, wanted.own, manifest.pipeline)
  return manifest
}

/** As `readManifest` for one's own; throws SOURCE_NOT_FOUND if there is no file. */
export async function requireManifest(
  path: string,
  pipeline: string,
  storage: ManifestStorage,
): Promise<PublishedManifest> {
  const published = await readManifest(path, { own: pipeline }, storage)
  if (published !== null) return published
  throw new CatalogueError('SOURCE_NOT_FOUND', `${path}: expected the manifest of a published run, got no file`, {
    title: 'Nothing is published yet',
    fix: 'Run the pipeline first: `catalogue-etl run CONFIG`, with the same `--out`.',
  })
}

/**
 * The manifest of a pipeline with all members. Throws STATE_INVALID also for the manifest of an earlier version, unless
 * it lacks only the newest members.
 */
export async function readWholeManifest(
  path: string,
  pipeline: string,
  storage: ManifestStorage,
): Promise<WholeManifest | null> {
  if ((await readManifest(path, { own: pipeline }, storage)) === null) return null
  const { state, ...members } = (await readMembers(path, storage)) as { readonly state?: unknown }
  const { manifestSchema } = await loadSchemas()
  const whole = manifestSchema.partial({ stages: true, format: true })
  const { data, error } = whole.safeParse({ ...members, ...(state !== null && { state }) }, parsedOnce)
  if (data !== undefined) return data
  throw invalid(path, `expected the manifest of a run of this version, got another (${describe(error)})`)
}

export type WholeManifest = Omit<Manifest, 'stages' | 'format'> & {
  readonly stages?: Manifest['stages'] | undefined
  readonly format?: number | undefined
}

/** The members of a manifest as they are in the file, to be written again. Unknown members are kept. */
export async function readMembers(path: string, storage: ManifestStorage): Promise<object> {
  return parseJson((await readManifestText(path, storage)) ?? '', path) as object
}

/**
 * Parses a manifest from the value of its JSON; gives the first problem of any other file. Throws STATE_INVALID for the
 * format of a later version.
 */
export async function parseManifest(
  value: unknown,
  path: string,
): Promise<
  | { readonly manifest: PublishedManifest; readonly problem?: undefined }
  | { readonly manifest: null; readonly problem: string }
> {
  const { publishedManifest } = await loadSchemas()
  const { data, error } = publishedManifest.safeParse(upgradeManifest(value, path), parsedOnce)
  return data === undefined ? { manifest: null, problem: describe(error) } : { manifest: data }
}

/** To make code for a schema, as zod does, takes longer than to walk it once. */
export const parsedOnce = { jitless: true }

/** Loaded late: most first runs read no manifest. */
function loadSchemas() {
  return import('./manifest-schema.ts')
}

export async function readManifestText(path: string, storage: ManifestStorage): Promise<string | null> {
  try {
    const bytes = await storage.read(path)
    // Editors may put a byte order mark there.
    return bytes === null
      ? null
      : Buffer.from(bytes)
          .toString()
          .replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof CatalogueError) throw error
    const message = `${path}: expected a readable manifest, got: ${(error as Error).message}`
    throw new CatalogueError(toOutputCode(error), message, { cause: error })
  }
}

export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(path, `expected JSON, got: ${(error as Error).message}`, error)
  }
}

async function parseQuietly(text: string, path: string): Promise<Awaited<ReturnType<typeof parseManifest>> | null> {
  try {
    return await parseManifest(JSON.parse(text), path)
  } catch {
    return null
  }
}

/** `files.0.rows: Invalid input` */
function describe({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join('.') ?? ''
  return where === '' ? (issue?.message ?? '') : `${where}: ${issue?.message}`
}

export function invalid(path: string, message: string, cause?: unknown): CatalogueError {
  return new CatalogueError('STATE_INVALID', `${path}: ${message}`, { cause })
}

export function ofAnother(path: string, pipeline: string, other: string): CatalogueError {
  const message = `${path}: expected the manifest of "${pipeline}", got that of "${other}"`
  return new CatalogueError('STATE_INVALID', message, {
    fix: 'Give each pipeline a folder of its own, or a `manifest.path`.',
  })
}
