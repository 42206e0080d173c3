import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import { createFileSource } from '../sources/file-source.ts'
import { findFiles } from '../sources/find-files.ts'
import type { OpenedSources, SourceContext } from './opened-sources.ts'

/** The sources of a plan, found but not yet read. Throws SOURCE_NOT_FOUND or CONFIG_INVALID. */
export async function openSources(plan: PipelinePlan, context: SourceContext): Promise<OpenedSources> {
  const { source, records } = plan
  if (source.kind === 'service') {
    // Loading the HTTP client takes time that runs from files don't pay.
    const { openServiceSources } = await import('./open-service-sources.ts')
    return openServiceSources(plan, source, context)
  }
  const files = await findFiles(source.files)
  await checkNotOutputs(files, plan)
  const options = { format: source.format, maxLineBytes: records.maxLineBytes }
  const opened = files.map(async (file) => {
    const canBeReadAgain = file !== '-' && (await stat(file)).isFile()
    return createFileSource(file, context.stdin, { ...options, canBeReadAgain })
  })
  return { sources: await Promise.all(opened), close: async () => {} }
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
