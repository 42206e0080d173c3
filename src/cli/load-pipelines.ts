import { parse } from 'yaml'
import { checkPipeline } from '../config/check-pipeline.ts'
import { readConfigDocument, type LocatedProblem } from '../config/config-document.ts'
import type { PipelinePlan } from '../config/pipeline-plan.ts'
import { CatalogueError } from '../errors.ts'
import type { Terminal } from './terminal.ts'

export interface LoadedPipeline {
  readonly file: string
  readonly problems: readonly LocatedProblem[]
  /** Null where there are problems. */
  readonly plan: PipelinePlan | null
}

export interface LoadOptions {
  /** `key=value` pairs that take the place of what the config says. */
  readonly set?: readonly string[] | undefined
  readonly out?: string | undefined
  readonly needsService: boolean
}

/** Reads and checks the configs, all of them, in the order given. */
export async function loadPipelines(
  files: readonly string[],
  options: LoadOptions,
  { env }: Terminal,
): Promise<LoadedPipeline[]> {
  const settings = (options.set ?? []).map(parseSetting)
  const loaded: LoadedPipeline[] = []
  for (const file of files) {
    const document = await readConfigDocument(file)
    if (document.problems.length > 0) {
      loaded.push({ file, problems: document.problems, plan: null })
      continue
    }
    const value = settings.reduce(applySetting, document.value)
    const { needsService, out: outDir } = options
    const { problems, plan } = checkPipeline(value, { env, needsService, outDir, now: Date.now() })
    loaded.push({ file, problems: problems.map(document.locate), plan })
  }
  return loaded
}

interface Setting {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/** `outputs[0].compression=snappy`; the value is read as YAML. */
function parseSetting(text: string): Setting {
  const at = text.indexOf('=')
  const key = text.slice(0, at)
  if (at < 1 || !/^[\w$-]+(?:\[\d+\])*(?:\.[\w$-]+(?:\[\d+\])*)*$/.test(key)) {
    throw new CatalogueError('USAGE', `--set: expected key=value such as rejects.limit=0, got "${text}"`)
  }
  const path = [...key.matchAll(/[\w$-]+|\[(\d+)\]/g)].map(([step, index]) =>
    index === undefined ? step : Number(index),
  )
  try {
    return { path, value: parse(text.slice(at + 1)) as unknown }
  } catch (error) {
    throw new CatalogueError('USAGE', `--set ${key}: expected a YAML value, got "${text.slice(at + 1)}"`, {
      cause: error,
    })
  }
}

/** A copy of the config with the setting in its place; objects on the way are made where they are missing. */
function applySetting(config: unknown, { path, value }: Setting): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (typeof step === 'number') {
    const items: unknown[] = Array.isArray(config) ? [...(config as unknown[])] : []
    items[step] = applySetting(items[step], { path: rest, value })
    return items
  }
  const members = typeof config === 'object' && config !== null && !Array.isArray(config) ? config : {}
  return { ...members, [step]: applySetting((members as Record<string, unknown>)[step], { path: rest, value }) }
}
