import { readFile } from 'node:fs/promises'
import { isObjectPath } from '../storage/s3/object-path.ts'
import type { ObjectReader } from '../storage/s3/object-reader.ts'
import { CatalogueError } from '../errors.ts'
import type { Landing } from '../manifest/manifest.ts'
import { tryJson } from '../manifest/try-json.ts'

const extension = '.manifest.json'

export function toLandingManifestPath(file: string): string {
  return file + extension
}

/** True if the file is the manifest of a landing, and so no data. */
export async function isLandingManifest(path: string, objects: ObjectReader): Promise<boolean> {
  return path.endsWith(extension) && (await readMarked(path, objects)) !== null
}

/**
 * Reads the manifest beside a file; null if there is none, or only another file of that name. Throws SOURCE_FAILED if
 * it can't be parsed.
 */
export async function readLanding(file: string, objects: ObjectReader): Promise<Landing | null> {
  const path = toLandingManifestPath(file)
  const marked = await readMarked(path, objects)
  if (marked === null) return null
  // Loaded on demand: most runs read no landing.
  const { landing } = await import('../manifest/landing-schema.ts')
  const { data, error } = landing.safeParse(marked)
  if (data !== undefined) return data
  const [issue] = error.issues
  const got = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  const message = `${path}: expected a landing manifest of format 1, got another (${got}); fetch ${file} again`
  throw new CatalogueError('SOURCE_FAILED', message, { cause: error })
}

async function readMarked(path: string, objects: ObjectReader): Promise<object | null> {
  const text = isObjectPath(path) ? ((await objects.get(path))?.toString() ?? null) : await readText(path)
  const value = text === null ? null : tryJson(text)
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
