import { createWriteStream } from 'node:fs'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
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
  await checkNotOutputs(files, plan)
  const options = { format: source.format, maxLineBytes: records.maxLineBytes }
  return files.map((file) => createFileSource(file, stdin, options))
}

/** A run must not replace what it reads, by whatever name. */
async function checkNotOutputs(files: readonly string[], plan: PipelinePlan): Promise<void> {
  const outputs = new Set<string>()
  for (const { path } of [...plan.files, plan.rejects, plan.manifest]) outputs.add(await toRealPath(path))
  const real = await Promise.all(files.map(async (file) => (file === '-' ? '-' : toRealPath(file))))
  const overlap = files.find((_, at) => outputs.has(real[at] ?? ''))
  if (overlap === undefined) return
  throw new CatalogueError(
    'CONFIG_INVALID',
    `${plan.name}: expected sources and outputs apart, got "${overlap}" as both`,
  )
}

/** The path without links; of a file that is not there, as far as there is one. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const folder = dirname(resolve(path))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === resolve(path)) return resolve(path)
    return join(await toRealPath(folder), basename(path))
  }
}

/**
 * Standard input copied to a file, so that it can be read twice. The caller removes it with `remove`; a copy that
 * fails is removed here. Throws SOURCE_FAILED, OUTPUT_FAILED or INTERRUPTED.
 */
export async function copyStdin(
  stdin: Readable,
  path: string,
  name: string,
  options: Parameters<typeof createFileSource>[2],
  signal: AbortSignal,
) {
  const remove = () => rm(path, { force: true })
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(stdin, createWriteStream(path, { flags: 'wx' }), { signal })
  } catch (error) {
    await remove()
    throw copyFailed(path, name, error, signal)
  }
  const source: Source = { ...createFileSource(path, stdin, options), name }
  return { source, remove }
}

function copyFailed(path: string, name: string, error: unknown, signal: AbortSignal): CatalogueError {
  const { message, syscall } = error as NodeJS.ErrnoException
  if (signal.aborted) return new CatalogueError('INTERRUPTED', `${name}: the run was asked to stop while it was copied`)
  if (syscall === undefined || syscall === 'read') {
    return new CatalogueError('SOURCE_FAILED', `${name}: the read failed: ${message}`, { cause: error })
  }
  const said = `${path}: expected to copy standard input here, to read it twice, got: ${message}`
  return new CatalogueError('OUTPUT_FAILED', said, { cause: error })
}
