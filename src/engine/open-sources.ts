import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import { createFileSource } from '../sources/file-source.ts'
import { findFiles } from '../sources/find-files.ts'
import type { Source } from '../sources/source.ts'

/** The sources of a plan, found but not yet read. Throws SOURCE_NOT_FOUND, or SOURCE_UNSUPPORTED for the service. */
export async function openSources(plan: PipelinePlan, stdin: Readable): Promise<Source[]> {
  const { source, records } = plan
  if (source.kind === 'service') {
    const message = `${plan.name}: expected source.files, got endpoint ${source.endpoint}; reading from the service comes with a later version`
    throw new CatalogueError('SOURCE_UNSUPPORTED', message)
  }
  const files = await findFiles(source.files)
  checkNotOutputs(files, plan)
  const options = { format: source.format, maxLineBytes: records.maxLineBytes }
  return files.map((file) => createFileSource(file, stdin, options))
}

/** A run must not replace what it reads. */
function checkNotOutputs(files: readonly string[], plan: PipelinePlan): void {
  const outputs = new Set([...plan.files, plan.rejects, plan.manifest].map(({ path }) => resolve(path)))
  const overlap = files.find((file) => file !== '-' && outputs.has(resolve(file)))
  if (overlap === undefined) return
  throw new CatalogueError(
    'CONFIG_INVALID',
    `${plan.name}: expected sources and outputs apart, got "${overlap}" as both`,
  )
}

/** Standard input copied to a file, so that it can be read twice. The caller removes it with `remove`. */
export async function copyStdin(
  stdin: Readable,
  path: string,
  name: string,
  options: Parameters<typeof createFileSource>[2],
) {
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(stdin, createWriteStream(path))
  } catch (error) {
    const message = `${path}: expected to copy standard input here, got: ${(error as Error).message}`
    throw new CatalogueError('OUTPUT_FAILED', message, { cause: error })
  }
  const source: Source = { ...createFileSource(path, stdin, options), name }
  return { source, remove: () => rm(path, { force: true }) }
}
