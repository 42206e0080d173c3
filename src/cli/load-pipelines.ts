import type { ConfigDocument, LocatedProblem } from '../config/config-document.ts'
import { listUses, type UsedCode } from '../config/own-code.ts'
import { problemAt, type Problem } from '../config/problem.ts'
import { exists } from '../config/prune.ts'
import { CatalogueError } from '../errors.ts'
import { quoteForShell } from '../describe/init/quote-for-shell.ts'
import { countOf } from '../text/format-count.ts'
import { isObject } from '../records/json/json-values.ts'
import { checkPipeline } from '../plan/check-pipeline.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'
import { toFileSource } from '../plan/to-file-source.ts'
import { toEntry, type ConfigEntry, type ExportOptions } from './config-entry.ts'
import { readEnvFiles } from './env-file.ts'
import { renderProblems, toErrorJson, toProblemJson } from './render/render-error.ts'
import { applySetting, formatSetting, parseSetting, type Setting } from './settings.ts'
import { colorsFor, columnsOf, log, logEvent, type Terminal } from './terminal.ts'

export interface LoadedPipeline {
  readonly file: string
  /** The environment for reading and running the config: that of the process, with the variables of `--env`. */
  readonly env: Terminal['env']
  readonly problems: readonly LocatedProblem[]
  /** Notes that are no problems, in the order of the file. */
  readonly notes: readonly LocatedProblem[]
  /** Unset variables that a run needs. Empty if the command needs them too, as each is a problem then. */
  readonly unset?: readonly string[]
  /** Null if there are problems. */
  readonly plan: PipelinePlan | null
  /** The config as written, with its settings, if `from` replaced its source. */
  readonly replaced?: { readonly config: unknown }
  /** Why the file could not be read at all; also in `problems`. */
  readonly unreadable?: CatalogueError
}

export interface ConfigOptions {
  readonly set?: readonly string[] | undefined
  /** The table of corrections that `rejects replay --fixed` names. */
  readonly corrections?: string | undefined
  /** Files of variables, with precedence over the environment. */
  readonly env?: readonly string[] | undefined
  readonly out?: string | undefined
  /** Files to read instead of the endpoint or the config's files. */
  readonly from?: readonly string[] | undefined
}

export interface LoadOptions extends ConfigOptions, ExportOptions {
  readonly needsService: boolean
  /** True for commands that take exports instead of a config. */
  readonly takesExports?: boolean
  /** False for commands that write no outputs. Default: `needsService`. */
  readonly needsDatabases?: boolean
  readonly needsMedia?: boolean
  /** A further check of the plan; its problems are reported like the config's. */
  readonly checkPlan?: ((plan: PipelinePlan) => readonly Problem[]) | undefined
  readonly notePlan?: ((plan: PipelinePlan) => Promise<readonly Problem[]>) | undefined
}

/** Reads the config of a command that takes only one. Prints its problems, if any, and throws CONFIG_INVALID. */
export async function loadPlan(
  named: string | readonly string[],
  options: LoadOptions,
  terminal: Terminal,
): Promise<LoadedPipeline & { readonly plan: PipelinePlan }> {
  const files = [named].flat()
  const all = await loadPipelines(files, options, terminal)
  const [loaded] = all
  if (all.length > 1)
    throw new CatalogueError('USAGE', `expected one config, or the files of one export, got ${all.length} configs`)
  const [plan] = requirePlans(loaded === undefined ? [] : [loaded], terminal)
  if (loaded === undefined || plan === undefined)
    throw new TypeError(`${files.join(', ')}: expected a plan or a problem`)
  return { ...loaded, plan }
}

/** Reads and checks all configs, in the given order. */
export async function loadPipelines(
  files: readonly string[],
  options: LoadOptions,
  terminal: Terminal,
): Promise<LoadedPipeline[]> {
  const env = await readEnvFiles(options.env ?? [], terminal)
  const settings = [...(options.set ?? []).map(parseSetting), ...toCorrections(options)]
  const loaded: LoadedPipeline[] = []
  const entries = await listEntries(files, options, { ...terminal, env })
  for (const entry of entries) loaded.push(await loadPipeline(entry, settings, options, { ...terminal, env }))
  return loaded
}

function toCorrections({ corrections }: ConfigOptions): Setting[] {
  if (corrections === undefined) return []
  return [{ path: ['rejects', 'corrections'], value: corrections, option: '--fixed' }]
}

async function listEntries(
  files: readonly string[],
  options: LoadOptions,
  terminal: Terminal,
): Promise<readonly ConfigEntry[]> {
  const { takesExports, contract } = options
  const isPlain = contract === undefined && files.every((file) => namesConfig.test(file))
  const named = takesExports === true ? undefined : files.find((file) => namesExport.test(file))
  if (named !== undefined) throw noConfig(named)
  if (takesExports !== true || isPlain) return files.map(toEntry)
  // Only files with other names need opening.
  return (await import('./bare-exports.ts')).listConfigs(files, options, terminal)
}

function noConfig(file: string): CatalogueError {
  return new CatalogueError('USAGE', `${file}: expected a config, got an export`, {
    fix: `\`catalogue-etl init ${quoteForShell(file)}\` writes its config; \`run\`, \`preview\`, \`trace\` and \`profile\` take the export itself.`,
  })
}

const namesExport = /\.(?:ndjson|jsonl)(?:\.gz)?$/i
const namesConfig = /\.(?:ya?ml|[cm]?[jt]s)$/i

async function loadPipeline(
  { file, read }: ConfigEntry,
  settings: readonly Setting[],
  options: LoadOptions,
  { env, refusesCode }: Pick<Terminal, 'env' | 'refusesCode'>,
): Promise<LoadedPipeline> {
  const {
    needsService,
    needsDatabases = needsService,
    needsMedia = false,
    out: outDir,
    from,
    checkPlan,
    notePlan,
  } = options
  let document: ConfigDocument
  try {
    document = await read()
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const message = error.message.replace(`${file}: `, '')
    return { file, env, problems: [{ file, path: [], message }], notes: [], plan: null, unreadable: error }
  }
  if (!document.isUnderstood) return { file, env, problems: document.problems, notes: [], plan: null }
  const own = await loadUses(settings.reduce(applySetting, document.value), file, refusesCode === true)
  const written = own.config
  const value = from === undefined ? written : toFileSource(needsMedia ? keepUserAgent(written) : written, from, env)
  const { problems, notes, plan, unset } = checkPipeline(value, {
    env,
    needsService: needsService && from === undefined,
    needsDatabases,
    needsMedia,
    outDir,
    now: Date.now(),
    ownConfig: written,
  })
  const locate = (problem: Problem): LocatedProblem => {
    const isWritten = exists(document.value, problem.path)
    const setting = settings.findLast(
      ({ path }) => isWithin(problem.path, path) || (!isWritten && isWithin(path, problem.path)),
    )
    return setting === undefined ? document.locate(problem) : { ...problem, file: `${file}, ${formatSetting(setting)}` }
  }
  const further = plan === null ? [] : (checkPlan?.(plan) ?? [])
  const all = [...document.problems, ...[...own.problems, ...problems, ...further].map(locate)]
  const noted = [...notes, ...((plan && (await notePlan?.(plan))) ?? [])]
  const located = { problems: all.toSorted(byPlace), notes: noted.map(locate).toSorted(byPlace) }
  const replaced = from === undefined ? {} : { replaced: { config: written } }
  return { file, env, ...located, unset, plan: all.length === 0 ? plan : null, ...replaced }
}

/** The config with the code that it names by `use`. */
async function loadUses(
  config: unknown,
  file: string,
  refusesCode: boolean,
): Promise<{ config: unknown; problems: readonly Problem[] }> {
  const uses = listUses(config)
  if (uses.length === 0) return { config, problems: [] }
  const { loadOwnCode, standInOf } = await import('../config/load-own-code.ts')
  if (refusesCode) {
    const standIns = uses.map(({ path, kind }) => ({ path, value: standInOf(kind) }))
    return { config: standIns.reduce(applySetting, config), problems: uses.map(refuseUse) }
  }
  const { loaded, problems } = await loadOwnCode(uses, file)
  return { config: loaded.reduce(applySetting, config), problems }
}

function refuseUse({ path, use }: UsedCode): Problem {
  return problemAt([...path, 'use'], `use: expected no code of a file, as an assistant calls, got "${use}"`)
}

/** Moves the User-Agent of a replaced endpoint to the requests for media. */
function keepUserAgent(config: unknown): unknown {
  if (!isObject(config) || !isObject(config['source'])) return config
  const { userAgent } = config['source']
  const media = config['media'] ?? {}
  return userAgent === undefined || !isObject(media) ? config : { ...config, media: { userAgent, ...media } }
}

function isWithin(inner: Problem['path'], outer: Problem['path']): boolean {
  return outer.length > 0 && outer.every((step, depth) => inner[depth] === step)
}

function byPlace(a: LocatedProblem, b: LocatedProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** The notes on unchecked parts of a request, which may be why a run gets fewer or more records than intended. */
export function listUnchecked({ notes }: LoadedPipeline): string[] {
  const unchecked = notes.filter(({ isUnchecked }) => isUnchecked === true)
  return unchecked.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

/** CONFIG_INVALID with its problems. */
export class InvalidConfigs extends CatalogueError {
  readonly problems: readonly LocatedProblem[]

  constructor(files: readonly string[], problems: readonly LocatedProblem[]) {
    const message = `${files.join(', ')}: expected ${files.length === 1 ? 'a valid config' : 'valid configs'}, got ${countOf(problems.length, 'problem')}`
    const isOfList = problems.every(({ path }) => path[0] === 'sourceIds' && path[1] === 'file')
    super('CONFIG_INVALID', message, { outputs: nothingDone, fix: isOfList ? listFix : undefined })
    this.problems = problems
  }
}

/**
 * The plans of configs without problems. Otherwise logs all problems of all configs and throws CONFIG_INVALID, or
 * CONFIG_UNREADABLE if the only fault is a file that could not be read.
 */
export function requirePlans(loaded: readonly LoadedPipeline[], terminal: Terminal): PipelinePlan[] {
  const faulty = loaded.filter(({ plan }) => plan === null)
  if (faulty.length === 0) return loaded.flatMap(({ plan }) => plan ?? [])
  const problems = faulty.flatMap((pipeline) => pipeline.problems)
  const [{ unreadable } = {}] = faulty
  if (faulty.length === 1 && unreadable !== undefined) throw unreadable.withOutputs(nothingDone)
  logProblems(problems, terminal)
  throw new InvalidConfigs(
    faulty.map(({ file }) => file),
    problems,
  )
}

export function toFailureDocument(error: CatalogueError) {
  const problems = error instanceof InvalidConfigs ? error.problems : []
  return { ok: false, error: toErrorJson(error), problems: problems.map(toProblemJson) }
}

/** Shows people all problems together, and logs one event each for machines. */
function logProblems(problems: readonly LocatedProblem[], terminal: Terminal): void {
  if (terminal.log?.format !== 'json')
    return log(terminal, renderProblems(problems, colorsFor(terminal.stderr, terminal.env), columnsOf(terminal.stderr)))
  for (const problem of problems) {
    const event = { level: 'error', event: 'config.problem', ...toProblemJson(problem) } as const
    logEvent(terminal, event, () => problem.message)
  }
}

const listFix =
  'Correct the path `sourceIds.file`, or the list at the lines named above (in a spreadsheet, format the column as text, then export it again). `sourceIds.badIdentifiers: report` leaves them out, and reports them.'
const nothingDone = 'Nothing was read, nothing was saved.'
