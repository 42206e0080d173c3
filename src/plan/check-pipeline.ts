import { contractNames, isContractName, type Contract, type ContractName } from '../contracts/contracts.ts'
import { checkWhole } from './builtin/builtin-tables.ts'
import { checkPeriods } from './builtin/check-periods.ts'
import { checkLabelLocales } from './outputs/check-labels.ts'
import { checkDatabaseNames } from './outputs/check-database-names.ts'
import { checkSecretUse, redactCredentials, listCredentials } from '../config/credentials.ts'
import type { TablePlan } from '../records/flatten/table-plan.ts'
import { asFunction } from '../config/own-code.ts'
import { checkSections, withoutLost, type Sections } from '../config/check-sections.ts'
import { closest, listChoices } from '../text/choices.ts'
import { toCountLimit } from './count-limit.ts'
import { hashPlan } from './hash-plan.ts'
import { toSelection } from './selection.ts'
import { interpolate } from '../config/interpolate.ts'
import { applySourceIds, toListedConditions } from './source/apply-source-ids.ts'
import { checkLocales, isLocaleCode } from './locales.ts'
import { isStandardSchema } from '../contracts/standard-schema.ts'
import type { ExtraFields } from '../contracts/extended/extra-fields.ts'
import type { CompletePipelineConfig } from '../config/schemas/pipeline-schema.ts'
import { databaseServers } from '../config/database-servers.ts'
import { type DatabasePlan, isServerPlan } from './outputs/database-plan.ts'
import type { PipelinePlan } from './pipeline-plan.ts'
import type { SourcePlan } from './source/source-plan.ts'
import type { StatefulPlan } from './loads/stateful-plan.ts'
import { usualMedia } from '../config/schemas/media-schema.ts'
import { type MediaOptions, planMedia, type PlannedMedia } from './media/plan-media.ts'
import { planConditions } from './conditions/plan-conditions.ts'
import { planLineage } from './plan-lineage.ts'
import { planFiles, type PlannedFiles } from './outputs/plan-files.ts'
import { checkIncremental, planIncremental } from './loads/plan-incremental.ts'
import { checkListOrder, withListColumns } from './source/list-columns.ts'
import { planSource, type SourceOptions } from './source/plan-source.ts'
import { planSourceIds, type IdentifierFile, type PlannedSourceIds } from './source/plan-source-ids.ts'
import { checkRatios } from './conditions/plan-ratio.ts'
import { planRules } from './conditions/plan-rules.ts'
import { checkStateful, isStateful, planMaxRemoved, planStateful } from './loads/plan-stateful.ts'
import { listLostExtra, planExtra } from './records/plan-extra.ts'
import { planCheck } from './records/plan-check.ts'
import { planCorrections } from './records/plan-corrections.ts'
import { planTables, toRoot } from './records/plan-tables.ts'
import { problemAt, type Problem } from '../config/problem.ts'
import { exists } from '../config/prune.ts'
import { readsGiven, type Store } from '../records/flatten/flatten-record.ts'
import type { ReadListBytes } from './source/read-list.ts'
import { checkTimeZone } from './check-time-zone.ts'
import { checkVolume, planVolume } from './conditions/plan-volume.ts'
import { toSnakeCase } from './records/plan-columns.ts'

export interface CheckOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** False for `check` and `plan`: addresses and credentials of the service may be unset. */
  readonly needsService: boolean
  /** Whether addresses of output databases have to be set. Default as `needsService`. */
  readonly needsDatabases?: boolean | undefined
  /** True for the command `media`, which needs a media plan even if the config has no `media`. */
  readonly needsMedia?: boolean | undefined
  /** Replaces a leading `out/` in relative paths. */
  readonly outDir?: string | undefined
  /** Now, in milliseconds since 1970, for dates such as `-24h`. */
  readonly now: number
  /** The config of the file, if the command line has replaced its source. Default: the config itself. */
  readonly ownConfig?: unknown
  /** Reads the file of `sourceIds`; by default from disk. */
  readonly readListBytes?: ReadListBytes | undefined
}

/** Result of checking a config; the plan is null if there are problems. */
export interface CheckedPipeline {
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
  readonly plan: PipelinePlan | null
  /** Names of variables that are not set but may be for this check. A run needs them. */
  readonly unset: readonly string[]
}

/** Checks a whole config as written and plans the run. Reads only `env` and the list of `sourceIds`. Never throws. */
export function checkPipeline(written: unknown, options: CheckOptions): CheckedPipeline {
  const tree = checkTree(written)
  if (tree.value === null && tree.problems.length > 0)
    return { problems: tree.problems, notes: [], plan: null, unset: [] }
  const { needsDatabases = options.needsService } = options
  const interpolated = interpolate(tree.value, {
    env: options.env,
    mayBeUnset: ([section, key, member]) =>
      (!options.needsService && section === 'source' && serviceKeys.has(String(key))) ||
      (!options.needsService && section === 'lineage') ||
      (!needsDatabases && section === 'outputs' && (member === 'url' || member === 'catalog')),
  })
  const { value, problems: unset } = interpolated
  const { config, problems, toOriginal } = checkSections(value)
  const isWritten = (key: string) =>
    exists(value, ['source', key]) ||
    problems.some(({ path, suggestion }) => path[0] === 'source' && suggestion === key)
  const isUnset = (key: string) =>
    interpolated.unset.some(([section, member]) => section === 'source' && member === key)
  const isUrlUnset = (output: number) => {
    const places = ['url', 'catalog'].map((key) => toOriginal(['outputs', output, key]))
    return interpolated.unset.some((path) => places.some((at) => at.every((step, index) => step === path[index])))
  }
  const areIdsFaulty = [...unset, ...problems].some(({ path }) => path[0] === 'sourceIds')
  const lostExtra = listLostExtra(problems)
  const ownConfig = options.ownConfig === undefined ? tree.value : checkTree(options.ownConfig).value
  const planned = planSections(config, {
    ...options,
    isWritten,
    isUnset,
    isUrlUnset,
    isLineageUnset: interpolated.unset.some(([section]) => section === 'lineage'),
    areIdsFaulty,
    lostExtra,
    ownConfig,
  })
  const atOriginal = (problem: Problem): Problem => ({ ...problem, path: toOriginal(problem.path) })
  const inSections = withoutLost(planned.problems.map(atOriginal), problems)
  const all = [...tree.problems, ...unset, ...problems, ...inSections, ...checkSecretUse(value)]
  const credentials = listCredentials(value)
  const show = (problem: Problem): Problem => ({ ...problem, message: redactCredentials(problem.message, credentials) })
  return {
    problems: inFileOrder(all.map(show), written),
    notes: inFileOrder(planned.notes.map(atOriginal).map(show), written),
    plan: all.length === 0 ? planned.plan : null,
    unset: [...new Set(interpolated.unsetNames)],
  }
}

const serviceKeys = new Set(['baseUrl', 'keyId', 'keySecret'])

function planSections(
  config: Sections,
  options: CheckOptions &
    Omit<SourceOptions, 'timezone'> & {
      readonly areIdsFaulty: boolean
      readonly isUrlUnset: (output: number) => boolean
      readonly isLineageUnset: boolean
      readonly lostExtra: ExtraFields
    },
): { problems: Problem[]; notes: readonly Problem[]; plan: PipelinePlan | null } {
  const problems: Problem[] = []
  const noZone = config.timezone === null ? null : checkTimeZone(config.timezone, ['timezone'])
  const timezone = noZone === null ? (config.timezone ?? 'UTC') : 'UTC'
  const source = config.source && planSource(config.source, { ...options, timezone })
  const ids = planIds(config, options)
  const notes = [...(source?.notes ?? []), ...ids.notes]
  const joined = source?.plan ? applySourceIds(source.plan, ids.list) : null
  problems.push(...(source?.problems ?? []), ...ids.problems, ...(joined?.problems ?? []))
  problems.push(...checkLocales(config.locales ?? []))
  if (noZone !== null) problems.push(noZone)
  const contractName = source?.contract ?? toContractName(config, problems)
  const known = (config.locales ?? []).filter(isLocaleCode)
  const locales = [...new Map(known.map((locale) => [toSnakeCase(locale), locale])).values()]
  const extended = contractName && planExtra(contractName, config, options.lostExtra, locales)
  problems.push(...(extended?.problems ?? []))
  const contract: Contract | null = extended && extended.contract
  const tables = contract && config.tables !== null ? planTables(contract, config.tables, locales, timezone) : null
  const where = contract && config.where && planConditions(config.where, toRoot(contract), ['where'], timezone)
  const rules =
    contract && tables && config.expect && planRules(config.expect, { ...tables, root: toRoot(contract), timezone })
  const matched = ids.list?.matched
  const written = tables && withListColumns(tables.tables, matched)
  const files = written && planOutputs(config, written, options)
  const media = planMediaSection(config, contract, { ...options, locales, timezone })
  const corrected = planCorrections(
    config.rejects ?? {},
    contractName === 'raw' ? null : contract && toRoot(contract),
    options,
  )
  const checked = planCheck(config.check)
  problems.push(...corrected.problems, ...checked.problems)
  const lineage = planLineage(config.lineage, files?.lineagePath ?? null, options.isLineageUnset)
  notes.push(...media.notes)
  problems.push(...(tables?.problems ?? []), ...(where?.problems ?? []), ...(files?.problems ?? []), ...media.problems)
  problems.push(...lineage.problems)
  problems.push(...(rules?.problems ?? []), ...checkInterface(config, tables?.tables ?? []))
  if (tables && files) problems.push(...checkDatabaseNames(files.databases, tables))
  if (written && files) problems.push(...checkListOrder(matched, config, written, files.files, isStateful(config)))
  problems.push(...checkVolume(config), ...checkRatios(config), ...checkLabelLocales(config, locales))
  problems.push(...checkState(config, contract, tables?.tables ?? []))
  notes.push(...(rules?.notes ?? []), ...noteFullRuns(config))

  if (!isComplete(config) || joined === null || !contractName || !contract || !tables || !where || !rules || !files) {
    return { problems, notes, plan: null }
  }
  const { extra: _extra, ...policy } = config.contract
  // All fields of raw records are unknown.
  const drift = contractName === 'raw' ? ({ ...policy, unknownFields: 'ignore' } as const) : policy
  const parts: Omit<PipelinePlan, 'outputs'> = {
    name: config.name,
    source: joined.plan,
    records: {
      contract: contractName,
      ...(contract.extra && { extra: contract.extra }),
      drift,
      locales,
      where: [...(ids.list ? toListedConditions(ids.list, contract, joined.plan) : []), ...where.conditions],
      ...(checked.check && { check: checked.check }),
      tables: written ?? [],
      maxLineBytes: config.source.maxLineBytes,
      ...(config.rejects.corrections && {
        corrections: corrected.corrections,
        correctionsFile: config.rejects.corrections,
      }),
      ...toStore(files.databases),
      contractVersion: contract.version,
      duplicates: config.duplicates ?? (isStateful(config) || matched?.order === 'list' ? 'last' : 'keep'),
      timezone: config.timezone,
    },
    limits: {
      completeness: config.completeness,
      rejects: toCountLimit(config.rejects.limit),
      maxRemoved: planMaxRemoved(config),
      selection: toSelection(options.ownConfig, joined.plan.sourceIds),
      rules: rules.rules,
      ratios: rules.ratios,
      volume: planVolume(config.expectVolume),
    },
    report: {
      manifest: { path: files.manifestPath },
      rejects: { path: files.rejectsPath },
      profile: files.profilePath === null ? null : { path: files.profilePath },
      page: files.reportPath === null ? null : { path: files.reportPath, examples: showsExamples(config.report) },
      runs: files.runsPath === null ? null : { path: files.runsPath },
      dataPackage: files.dataPackagePath === null ? null : { path: files.dataPackagePath },
      ...(lineage.plan && { lineage: lineage.plan }),
    },
    ...(config.questions && { questions: config.questions }),
  }
  const stateful = planState(config, parts.source, tables.tables, contract, files.databases, ids.list, options)
  const outputs = {
    files: files.files,
    stateful,
    ...(files.own.length > 0 && { own: files.own }),
    ...(media.plan && { media: media.plan }),
    ...(config.s3 && { s3: config.s3 }),
  }
  const plan = { ...parts, outputs: { ...outputs, configHash: hashPlan({ ...parts, outputs }, config.source) } }
  return { problems, notes, plan }
}

function showsExamples(report: CompletePipelineConfig['report']): boolean {
  return typeof report === 'object' && report.examples === true
}

const noMedia: PlannedMedia = { plan: null, problems: [], notes: [] }

function planMediaSection(
  { media, source }: Sections,
  contract: Contract | null,
  { needsMedia = false, ...options }: CheckOptions & Pick<MediaOptions, 'locales' | 'timezone'>,
): PlannedMedia {
  const config = media ?? (needsMedia && media === undefined ? usualMedia() : null)
  if (config === null || contract === null) return noMedia
  return planMedia(config, contract, { ...options, needsMedia, sourceUserAgent: source?.userAgent })
}

/** Requires `interface` for columns from the version of standard input, which can't be read twice. */
function checkInterface({ source }: Sections, tables: readonly TablePlan[]): Problem[] {
  if (source?.interface !== undefined || ![source?.files].flat().includes('-') || !readsGiven(tables)) return []
  const message = 'missing key "interface", expected v3 or v4 for products from standard input, got nothing'
  return [problemAt(['source', 'interface'], message)]
}

function checkState(config: Sections, contract: Contract | null, tables: readonly TablePlan[]): Problem[] {
  const { incremental, source } = config
  const own = incremental && source ? checkIncremental(incremental, source, contract) : []
  return [
    ...own,
    ...checkStateful(config, contract, tables),
    ...checkWhole(tables, isStateful(config)),
    ...checkPeriods(config, tables),
  ]
}

function noteFullRuns({ incremental, source }: Sections): Problem[] {
  if (!incremental || source?.files === undefined) return []
  const message = 'incremental: files are read whole: a run over files brings everything there is'
  return [{ ...problemAt(['incremental'], message), atKey: true }]
}

function planState(
  config: CompletePipelineConfig,
  source: SourcePlan,
  tables: readonly TablePlan[],
  contract: Contract,
  databases: readonly DatabasePlan[],
  list: IdentifierFile | null,
  options: CheckOptions,
): StatefulPlan | null {
  if (!isStateful(config)) return null
  const { filter } = config.source
  const incremental = config.incremental
    ? planIncremental(config.incremental, filter, source, list, {
        now: new Date(options.now),
        timezone: config.timezone,
      })
    : null
  return planStateful(config, incremental, contract, tables, databases)
}

function planIds(
  { source, sourceIds, contract }: Sections,
  { areIdsFaulty, readListBytes }: CheckOptions & { readonly areIdsFaulty: boolean },
): PlannedSourceIds {
  if (!sourceIds) return { list: null, problems: [], notes: [] }
  return planSourceIds(sourceIds, { source, extra: contract?.extra, isFaulty: areIdsFaulty, readListBytes })
}

/** Plans outputs even if name, rejects or manifest are invalid, to report the problems of the outputs too. */
function planOutputs(
  { name, outputs, rejects, manifest, profile, report, runs, dataPackage, incremental, lineage }: Sections,
  tables: readonly TablePlan[],
  { outDir, isUrlUnset }: CheckOptions & { readonly isUrlUnset: (output: number) => boolean },
): PlannedFiles | null {
  if (outputs === null) return null
  const written = {
    rejects: rejects ?? { limit: 0 },
    manifest: manifest ?? {},
    profile: profile ?? true,
    report: report ?? true,
    runs: runs ?? true,
    dataPackage: dataPackage ?? false,
    lineage: lineage ?? undefined,
  }
  const config = { name: name ?? 'pipeline', outputs, ...written }
  return planFiles(config, { tables, outDir, isIncremental: Boolean(incremental), isUnset: isUrlUnset })
}

function isComplete(config: Sections): config is CompletePipelineConfig {
  return Object.values(config).every((section) => section !== null)
}

function toContractName({ source }: Sections, problems: Problem[]): ContractName | null {
  const name = source?.contract
  if (source === null || name === undefined) return null
  if (isContractName(name)) return name
  const message = `unknown contract "${name}", expected one of ${listChoices(contractNames)}`
  const meant = closest(name, contractNames)
  problems.push(problemAt(['source', 'contract'], message, meant))
  // The fields in the config are checked against the contract that was probably meant.
  return meant !== undefined && isContractName(meant) ? meant : null
}

function inFileOrder(problems: readonly Problem[], written: unknown): Problem[] {
  const rank = ({ path }: Problem): number[] => {
    let node: unknown = written
    return path.map((step) => {
      const keys = typeof node === 'object' && node !== null ? Object.keys(node) : []
      node = (node as Record<string | number, unknown> | null | undefined)?.[step]
      const at = keys.indexOf(String(step))
      return at < 0 ? keys.length : at
    })
  }
  const ranked = problems.map((problem) => ({ problem, rank: rank(problem) }))
  return ranked.toSorted((a, b) => compareRanks(a.rank, b.rank)).map(({ problem }) => problem)
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((rank, depth) => rank !== b[depth])
  return differing < 0 ? a.length - b.length : (a[differing] ?? 0) - (b[differing] ?? -1)
}

interface CheckedTree {
  /** The value without keys such as `__proto__`; null if it has cycles or is too deep. */
  readonly value: unknown
  readonly problems: readonly Problem[]
}

/** Checks that a value is a tree of limited depth, so that later code may recurse over it. */
function checkTree(value: unknown): CheckedTree {
  const problems: Problem[] = []
  const bounded = walk(value, [], new Set(), problems)
  const isTree = problems.every(({ atKey }) => atKey)
  return { value: isTree ? bounded : null, problems }
}

/** Of several servers the one that holds least. */
function toStore(databases: readonly DatabasePlan[]): { readonly store?: Store } {
  const formats = databases.filter(isServerPlan).map(({ format }) => format)
  const format = formats.includes('postgres') ? 'postgres' : formats[0]
  return format === undefined ? {} : { store: databaseServers[format].title }
}

function walk(value: unknown, path: Problem['path'], above: Set<unknown>, problems: Problem[]): unknown {
  if (isStandardSchema(value)) return typeof value === 'function' ? value : asFunction(value)
  if (typeof value !== 'object' || value === null) return value
  if (above.has(value)) {
    problems.push(problemAt(path, 'expected a value, got an alias of what it is part of'))
    return null
  }
  if (path.length === deepest) {
    problems.push(problemAt(path, `nested too deeply, expected at most ${deepest} levels`))
    return null
  }
  above.add(value)
  const inner = Array.isArray(value)
    ? value.map((item, index) => walk(item, [...path, index], above, problems))
    : walkMembers(value, path, above, problems)
  above.delete(value)
  return inner
}

function walkMembers(value: object, path: Problem['path'], above: Set<unknown>, problems: Problem[]): unknown {
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    // zod silently drops this key.
    if (key !== '__proto__') return [[key, walk(member, [...path, key], above, problems)]]
    problems.push({ path: [...path, key], atKey: true, message: `unknown key "${key}"` })
    return []
  })
  return Object.fromEntries(members)
}

const deepest = 64
