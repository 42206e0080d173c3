import { CatalogueError } from '../errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { openStorage } from '../storage/open-storage.ts'
import { publishedManifest, type PublishedManifest, type PublishedState } from './published-state.ts'

/**
 * The manifest of the last published run; null where there is none. Throws STATE_INVALID where it can't be understood, or
 * is another pipeline's: what it says decides what is removed, so it is never guessed.
 */
export async function readPublishedManifest(
  path: string,
  pipeline: string,
  storage: Pick<FileStorage, 'read'>,
): Promise<PublishedManifest | null> {
  const text = await readText(path, storage)
  if (text === null) return null
  const { data, error } = publishedManifest.safeParse(parseJson(text, path))
  if (data === undefined) {
    const [issue] = error.issues
    throw invalid(
      path,
      `expected the manifest of a run, got another file (${issue?.path.join('.')}: ${issue?.message})`,
    )
  }
  if (data.pipeline !== pipeline)
    throw invalid(path, `expected the manifest of "${pipeline}", got that of "${data.pipeline}"`)
  return data
}

/** The same for whoever needs nothing else of the storage. */
export async function readManifestOnce(
  { name, manifest }: { readonly name: string; readonly manifest: { readonly path: string } },
  env: Readonly<Record<string, string | undefined>>,
): Promise<PublishedManifest | null> {
  const storage = await openStorage(manifest.path, env)
  try {
    return await readPublishedManifest(manifest.path, name, storage)
  } finally {
    await storage.close()
  }
}

/** Throws STATE_INVALID where a file that the state needs is not as it was published. */
export async function checkStateFiles(
  path: string,
  { records, tables }: PublishedState,
  storage: Pick<FileStorage, 'sizeOf'>,
): Promise<void> {
  for (const file of [...(records === null ? [] : [records]), ...tables.flatMap(({ files }) => files)]) {
    const bytes = await storage.sizeOf(file.path)
    if (bytes === file.bytes) continue
    const got = bytes === null ? 'no file' : `${bytes} bytes`
    throw invalid(path, `expected "${file.path}" with ${file.bytes} bytes, which the next run begins with, got ${got}`)
  }
}

export function invalid(path: string, message: string, cause?: unknown): CatalogueError {
  return new CatalogueError('STATE_INVALID', `${path}: ${message}`, { cause })
}

async function readText(path: string, storage: Pick<FileStorage, 'read'>): Promise<string | null> {
  try {
    const bytes = await storage.read(path)
    // Editors put a byte order mark there.
    return bytes === null
      ? null
      : Buffer.from(bytes)
          .toString()
          .replace(/^\uFEFF/, '')
  } catch (error) {
    throw invalid(path, `expected a readable manifest, got: ${(error as Error).message}`, error)
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(path, `expected JSON, got: ${(error as Error).message}`, error)
  }
}
