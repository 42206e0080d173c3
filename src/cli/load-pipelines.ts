import { checkPipeline } from '../plan/check-pipeline.ts'
import { readConfigDocument, type ConfigDocument, type LocatedProblem } from '../config/config-document.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import type { Problem } from '../config/problem.ts'
import { exists } from '../config/prune.ts'
import { toFileSource } from '../plan/to-file-source.ts'
import { CatalogueError } from '../errors.ts'
import { readEnvFiles } from './env-file.ts'
import { applySetting, formatSetting, parseSetting, type Setting } from './settings.ts'
import type { Terminal } from './terminal.ts'

export interface LoadedPipeline {
  readonly file: string
  /** In the order of the file. */
  readonly problems: readonly LocatedProblem[]
  /** What is no problem but worth telling; in the order of the file. */
  readonly notes: readonly LocatedProblem[]
  /** Null where there are problems. */
  readonly plan: PipelinePlan | null
  /** With `from`: the config as it was written, with its settings, and the environment that it is read with. */
  readonly replaced?: { readonly config: unknown; readonly env: Terminal['env'] }
  /** Why the file could not be read at all; its problem says the same. */
  readonly unreadable?: CatalogueError
}

export interface LoadOptions {
  /** `key=value` pairs that take the place of what the config says. */
  readonly set?: readonly string[] | undefined
  readonly out?: string | undefined
  /** Files of variables, which come before the environment. */
  readonly envFile?: readonly string[] | undefined
  /** Files to read in the place of the endpoint, or of the files that the config names. */
  readonly from?: readonly string[] | undefined
  readonly needsService: boolean
  /** False for commands that write no outputs. Default as `needsService`. */
  readonly needsDatabases?: boolean
}

/** Reads and checks the configs, all of them, in the order given. */
export async function loadPipelines(
  files: readonly string[],
  options: LoadOptions,
  terminal: Terminal,
): Promise<LoadedPipeline[]> {
  const env = await readEnvFiles(options.envFile ?? [], terminal)
  const settings = (options.set ?? []).map(parseSetting)
  const loaded: LoadedPipeline[] = []
  for (const file of files) loaded.push(await loadPipeline(file, settings, options, env))
  return loaded
}

async function loadPipeline(
  file: string,
  settings: readonly Setting[],
  { needsService, needsDatabases = needsService, out: outDir, from }: LoadOptions,
  env: Terminal['env'],
): Promise<LoadedPipeline> {
  let document: ConfigDocument
  try {
    document = await readConfigDocument(file)
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const message = error.message.replace(`${file}: `, '')
    return { file, problems: [{ file, path: [], message }], notes: [], plan: null, unreadable: error }
  }
  if (!document.isUnderstood) return { file, problems: document.problems, notes: [], plan: null }
  const written = settings.reduce(applySetting, document.value)
  const value = from === undefined ? written : toFileSource(written, from, env)
  const { problems, notes, plan } = checkPipeline(value, {
    env,
    needsService: needsService && from === undefined,
    needsDatabases,
    outDir,
    now: Date.now(),
  })
  const locate = (problem: Problem): LocatedProblem => {
    const isWritten = exists(document.value, problem.path)
    const setting = settings.findLast(
      ({ path }) => isWithin(problem.path, path) || (!isWritten && isWithin(path, problem.path)),
    )
    return setting === undefined ? document.locate(problem) : { ...problem, file: `${file}, ${formatSetting(setting)}` }
  }
  const all = [...document.problems, ...problems.map(locate)]
  const located = { problems: all.toSorted(byPlace), notes: notes.map(locate).toSorted(byPlace) }
  const replaced = from === undefined ? {} : { replaced: { config: written, env } }
  return { file, ...located, plan: all.length === 0 ? plan : null, ...replaced }
}

function isWithin(inner: Problem['path'], outer: Problem['path']): boolean {
  return outer.length > 0 && outer.every((step, depth) => inner[depth] === step)
}

function byPlace(a: LocatedProblem, b: LocatedProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
