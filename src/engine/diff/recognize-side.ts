import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath } from '../../objects/object-path.ts'
import { isObject } from '../../records/json/json-values.ts'
import { findFiles } from '../../sources/find-files.ts'
import { isLandingManifest, readLanding, toLandingManifestPath } from '../../sources/landing-manifest.ts'

/** The files that a path names. */
export interface LineSide {
  readonly kind: 'export' | 'landing'
  readonly path: string
  readonly files: readonly string[]
}

const manifestName = '_manifest.json'

/**
 * Recognizes an export or a landing: a file, a pattern of files, or a folder with landed files. Throws SOURCE_NOT_FOUND where
 * nothing is there, USAGE for anything else.
 */
export async function recognizeSide(path: string, contract: string | undefined): Promise<LineSide> {
  if (path === '-') throw unfit(path, 'standard input, which can be read only once: save it in a file')
  if (isObjectPath(path)) throw unfit(path, 'a bucket: bring its files here first')
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() === true) return recognizeFolder(path, contract)
  const files = await findFiles([path])
  if (stats === null) return { kind: 'export', path, files }
  if (stats.size <= mostManifest && (await isRunManifest(path))) throw ofRun(path)
  // The manifest is as good a name of a landed file as its own.
  const landed = (await isLandingManifest(path)) ? path.slice(0, -toLandingManifestPath('').length) : path
  const head = await readHead(landed)
  if (head === 'PAR1') throw unfit(path, 'a Parquet file')
  const kind = (await readLanding(landed)) === null ? 'export' : 'landing'
  return { kind, path, files: [landed] }
}

async function recognizeFolder(path: string, contract: string | undefined): Promise<LineSide> {
  const names = (await readdir(path)).toSorted()
  if (names.includes(manifestName)) throw ofRun(path)
  const landed = await listLanded(path, names)
  const chosen = landed.filter((file) => contract === undefined || file.contract === contract)
  const found = [...new Set(landed.map((file) => file.contract))]
  if (landed.length === 0) {
    const fix = `For a folder of exports, name its files: \`'${join(path, '*.ndjson')}'\`, in quotes.`
    throw unfit(path, 'a folder without landed files', fix)
  }
  if (chosen.length === 0) throw unfit(path, `a landing of ${found.join(' and ')} without ${contract}`)
  if (contract === undefined && found.length > 1) {
    const fix = `Choose one with \`--contract\`, for instance \`--contract ${found[0]}\`.`
    throw unfit(path, `a landing of ${found.join(' and ')}`, fix)
  }
  return { kind: 'landing', path, files: chosen.map((file) => file.path) }
}

async function listLanded(folder: string, names: readonly string[]): Promise<{ path: string; contract: string }[]> {
  const landed: { path: string; contract: string }[] = []
  for (const name of names) {
    const path = join(folder, name)
    const landing = await readLanding(path)
    if (landing !== null) landed.push({ path, contract: landing.contract.name })
  }
  return landed
}

/** Bytes. A larger JSON file is an export in one document, which is not read as a whole. */
const mostManifest = 16 * 1024 * 1024

/** True for the manifest of a run, by what it holds. */
async function isRunManifest(path: string): Promise<boolean> {
  if (!path.endsWith('.json')) return false
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isObject(value) && 'pipeline' in value && 'configHash' in value && Array.isArray(value['files'])
  } catch {
    // An export need not be one JSON value.
    return false
  }
}

async function readHead(path: string): Promise<string> {
  await findFiles([path])
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function unfit(path: string, got: string, fix?: string): CatalogueError {
  const message = `${path}: expected an export or a landing, got ${got}`
  return new CatalogueError('USAGE', message, fix === undefined ? {} : { fix })
}

function ofRun(path: string): CatalogueError {
  return unfit(path, 'a published run', 'Compare the exports or landings that the runs were made from.')
}
