import { stat } from 'node:fs/promises'
import type { FileSourcePlan, PipelinePlan } from '../../plan/pipeline-plan.ts'
import { CatalogueError } from '../../errors.ts'
import { createFileSource } from '../../sources/file-source.ts'
import { findFiles } from '../../sources/find-files.ts'
import { createLandedSource } from '../../sources/landed-source.ts'
import { toLandingManifestPath } from '../../sources/landing-manifest.ts'
import type { Source } from '../../sources/source.ts'
import { locateMissing } from './locate-missing.ts'
import { openLanding } from './open-landing.ts'
import type { OpenedSources, SourceContext } from './opened-sources.ts'
import { toRealPath } from '../run/to-real-path.ts'

/** The sources of a plan, found but not yet read. Throws SOURCE_NOT_FOUND or CONFIG_INVALID. */
export async function openSources(plan: PipelinePlan, context: SourceContext): Promise<OpenedSources> {
  const { source } = plan
  if (source.kind === 'service') {
    // Loading the HTTP client takes time that runs from files don't pay.
    const { openServiceSources } = await import('./open-service-sources.ts')
    const { sources, close } = openServiceSources(plan, source, context)
    const { sourceIds } = source
    return { sources: sourceIds === null ? sources : sources.map((each) => locateMissing(each, sourceIds)), close }
  }
  const files = await findFiles(source.files)
  const sources = await Promise.all(files.map((file) => openFileSource(file, plan, source, context)))
  const landed = sources.filter((each) => each.landed !== undefined)
  await checkNotOutputs([...files, ...landed.map(({ name }) => toLandingManifestPath(name))], plan)
  return { sources, close: async () => {} }
}

async function openFileSource(
  file: string,
  plan: PipelinePlan,
  { format }: FileSourcePlan,
  { stdin }: SourceContext,
): Promise<Source> {
  const { maxLineBytes } = plan.records
  const found = file === '-' ? null : await stat(file)
  const canBeReadAgain = found !== null && found.isFile()
  const landing = canBeReadAgain ? await openLanding(file, plan) : null
  const source =
    landing === null
      ? createFileSource(file, stdin, { format, maxLineBytes, canBeReadAgain })
      : createLandedSource(file, landing, { maxLineBytes, openAgain: () => openLanding(file, plan) })
  return found === null ? source : { ...source, bytes: found.size }
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
