import { existsSync } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { suits } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import { isObject } from '../../records/json/json-values.ts'
import { findFiles } from '../../sources/find-files.ts'
import { readOperation } from '../../sources/read-operation.ts'
import { isLandingManifest, readLanding, toLandingManifestPath } from '../../sources/landing-manifest.ts'
import { joinPath } from '../../storage/paths.ts'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { AsOf } from '../history/as-of.ts'
import type { ProfiledPlan } from '../profile/published-tables.ts'

export interface RunSide {
  readonly kind: 'run'
  readonly path: string
  readonly files: readonly [string]
}

/** A config, of which the tables of the last run are compared as they are now. */
export interface PlanSide {
  readonly kind: 'plan'
  readonly path: string
  readonly files: readonly []
  readonly plan: ProfiledPlan
}

/** One table of a lake. */
export interface TableSide {
  readonly kind: 'table'
  readonly path: string
  readonly files: readonly []
  readonly folder: string
  readonly format: 'delta' | 'iceberg'
  /** Default: the newest. */
  readonly version?: number
}

/** The tables of a pipeline as they were at a moment, from its history. */
export interface HistorySide {
  readonly kind: 'history'
  readonly path: string
  readonly files: readonly []
  readonly plan: PipelinePlan
  readonly asOf: AsOf
}

/** What has rows in tables. */
export type RowSide = RunSide | TableSide | HistorySide | PlanSide

export interface LineSide {
  readonly kind: 'export' | 'landing'
  readonly path: string
  readonly files: readonly string[]
}

const manifestName = '_manifest.json'

/**
 * Recognizes an export, a landing, a run or a table of a lake from a file, a pattern, a folder with landed files, with a
 * manifest or with a table, which may have its version behind it: `lake/products@3`. Throws SOURCE_NOT_FOUND if there is no such path, and USAGE for anything else.
 */
export async function recognizeSide(
  path: string,
  contract: string | undefined,
  objects: ObjectReader,
): Promise<LineSide | RunSide | TableSide> {
  if (path === '-') throw unfit(path, 'standard input, which can be read only once: save it in a file')
  if (isObjectPath(path)) return recognizeObjects(path, contract, objects)
  const table = recognizeTable(path, (file) => existsSync(file))
  if (table !== null) return table
  const stats = await stat(path).catch(() => null)
  if (stats?.isFIFO() === true) throw unfit(path, 'a pipe, which can be read only once: save it in a file')
  if (stats?.isDirectory() === true) return recognizeFolder(path, contract, objects)
  const files = await findFiles([path], objects)
  if (stats === null) return { kind: 'export', path, files }
  if (stats.size <= mostManifest && (await isRunManifest(path))) return { kind: 'run', path, files: [path] }
  // A landed file may also be named by its manifest.
  const landed = (await isLandingManifest(path, objects)) ? path.slice(0, -toLandingManifestPath('').length) : path
  const head = await readHead(landed, objects)
  if (head === 'PAR1') throw unfit(path, 'a Parquet file')
  const kind = (await readLanding(landed, objects)) === null ? 'export' : 'landing'
  return { kind, path, files: [landed] }
}

export type AnySide = LineSide | RowSide

function recognizeTable(path: string, exists: (path: string) => boolean): TableSide | null {
  const folder = path.replace(versioned, '').replace(/(?<=.)\/$/, '')
  const [, version] = versioned.exec(path) ?? []
  const format = exists(joinPath(folder, '_delta_log'))
    ? 'delta'
    : exists(joinPath(folder, 'metadata/version-hint.text'))
      ? 'iceberg'
      : null
  const pinned = version === undefined ? {} : { version: Number(version) }
  return format && { kind: 'table', path, files: [], folder, format, ...pinned }
}

/** As Delta's own paths say it, and shorter. */
const versioned = /@v?(\d+)$/

export function noSuchTable(folder: string): CatalogueError {
  return new CatalogueError('SOURCE_NOT_FOUND', `${folder}: expected a table of a lake, got nothing there`)
}

async function recognizeObjects(
  path: string,
  contract: string | undefined,
  objects: ObjectReader,
): Promise<LineSide | RunSide | TableSide> {
  if (path.endsWith(`/${manifestName}`)) return { kind: 'run', path, files: [path] }
  const folder = path.replace(/\/$/, '')
  const isPrefix = folder !== path || ((await objects.find(path)) === null && (await objects.isFolder(folder)))
  const listed = isPrefix || versioned.test(folder) ? await objects.list(`${folder.replace(versioned, '')}/`) : []
  const table = recognizeTable(folder, (file) => listed.some((object) => `${object.path}/`.startsWith(`${file}/`)))
  if (table !== null) return table
  if (!isPrefix) return { kind: 'export', path, files: await findFiles([path], objects) }
  if (listed.some((object) => object.path === `${folder}/${manifestName}`))
    return { kind: 'run', path, files: [`${folder}/${manifestName}`] }
  const names = listed.map((object) => object.path.slice(folder.length + 1)).filter((name) => !name.includes('/'))
  return chooseLanded(path, await listLanded(folder, names, objects), contract)
}

async function recognizeFolder(
  path: string,
  contract: string | undefined,
  objects: ObjectReader,
): Promise<LineSide | RunSide> {
  const names = (await readOperation(path, () => readdir(path))).toSorted()
  if (names.includes(manifestName)) return { kind: 'run', path, files: [join(path, manifestName)] }
  const landed = await listLanded(path, names, objects)
  const runs = landed.length > 0 ? [] : names.filter((name) => existsSync(join(path, name, manifestName)))
  if (runs[0] !== undefined) {
    const fix = `Name one of its folders: ${runs.map((name) => join(path, name)).join(', ')}.`
    throw unfit(path, `a folder with ${runs.length === 1 ? 'a published run' : 'published runs'} in it`, fix)
  }
  return chooseLanded(path, landed, contract)
}

function chooseLanded(path: string, landed: readonly LandedFile[], contract: string | undefined): LineSide {
  const chosen = landed.filter((file) => contract === undefined || suits(contract, file.contract))
  const found = [...new Set(landed.map((file) => file.contract))]
  if (landed.length === 0) {
    const fix = `For a folder of exports, name its files: \`'${joinPath(path, '*.ndjson*')}'\`, in quotes.`
    throw unfit(path, 'a folder without landed files', fix)
  }
  if (chosen.length === 0) throw unfit(path, `a landing of ${found.join(' and ')} without ${contract}`)
  if (contract === undefined && found.length > 1) {
    const fix = `Choose one with \`--contract\`, for instance \`--contract ${found[0]}\`.`
    throw unfit(path, `a landing of ${found.join(' and ')}`, fix)
  }
  return { kind: 'landing', path, files: chosen.map((file) => file.path) }
}

interface LandedFile {
  readonly path: string
  readonly contract: string
}

async function listLanded(folder: string, names: readonly string[], objects: ObjectReader): Promise<LandedFile[]> {
  const landed: LandedFile[] = []
  for (const name of names) {
    const path = joinPath(folder, name)
    const landing = await readLanding(path, objects)
    if (landing !== null) landed.push({ path, contract: landing.contract.name })
  }
  return landed
}

/** In bytes. A larger JSON file is an export in one document, which is not read whole. */
const mostManifest = 16 * 1024 * 1024

/** Whether a file is the manifest of a run, judged by its content. */
async function isRunManifest(path: string): Promise<boolean> {
  if (!path.endsWith('.json')) return false
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isObject(value) && 'pipeline' in value && 'configHash' in value && Array.isArray(value['files'])
  } catch {
    // An export may have several JSON values.
    return false
  }
}

async function readHead(path: string, objects: ObjectReader): Promise<string> {
  await findFiles([path], objects)
  const file = await readOperation(path, () => open(path))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function unfit(path: string, got: string, fix?: string): CatalogueError {
  const message = `${path}: expected an export, a landing or a published run, got ${got}`
  return new CatalogueError('USAGE', message, fix === undefined ? {} : { fix })
}
