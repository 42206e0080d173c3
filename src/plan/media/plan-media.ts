import type { MediaConfig } from '../../config/schemas/media-schema.ts'
import { problemAt, type Problem } from '../../config/problem.ts'
import type { Contract } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import type { Condition } from '../../records/conditions/condition.ts'
import type { TableConfig } from '../../config/schemas/pipeline-schema.ts'
import { closest, listChoices } from '../../text/choices.ts'
import { toCountLimit } from '../count-limit.ts'
import { specLocales, toSpecChain, type LocaleChain } from '../locales.ts'
import { planConditions } from '../conditions/plan-conditions.ts'
import { toSnakeCase } from '../records/plan-columns.ts'
import { planTables, toRoot } from '../records/plan-tables.ts'
import { isPathProblem, resolvePath } from '../records/resolve-path.ts'
import type { MediaPlan } from './media-plan.ts'

export interface MediaOptions {
  readonly needsMedia: boolean
  readonly locales: readonly string[]
  readonly timezone: string
  readonly sourceUserAgent: string | undefined
}

export interface PlannedMedia {
  readonly plan: MediaPlan | null
  readonly problems: readonly Problem[]
  readonly notes: readonly Problem[]
}

export function planMedia(config: MediaConfig, contract: Contract, options: MediaOptions): PlannedMedia {
  const root = toRoot(contract)
  const from = config.from ?? defaultFrom(root)
  const element = resolveElement(root, from, contract)
  if ('message' in element) return { plan: null, problems: [element], notes: [] }
  const files = planFormats(config, element.fields)
  const conditions =
    from === '$' ? planConditions(toWhere(config, contract), root, ['media', 'where'], options.timezone) : null
  const table = toTable(config, from, element.fields, files)
  const planned = planTables(contract, { files: table }, options.locales, options.timezone)
  const located = planned.problems.map(toMediaProblem)
  const chain = planChain(config, from, files.isLocalized, options.locales)
  const agent = checkUserAgent(config, options)
  const problems = [
    ...files.problems,
    ...located,
    ...(conditions?.problems ?? []),
    ...chain.problems,
    ...agent.problems,
  ]
  const [tablePlan] = planned.tables
  const userAgent = config.userAgent ?? options.sourceUserAgent ?? ''
  const plan =
    problems.length > 0 || tablePlan === undefined
      ? null
      : {
          ...toSettings(config),
          from,
          recordColumn: from === '$' ? 'item_id' : `${contract.record}_id`,
          table: tablePlan,
          where: conditions?.conditions ?? ([] as readonly Condition[]),
          formats: files.formats,
          chain: chain.chain,
          userAgent,
        }
  return { plan, problems, notes: agent.notes }
}

function toSettings({
  maxMissing,
  timeouts,
  concurrency,
  maxBytes,
  retries,
  revalidate,
  obsolete,
  allowPrivate,
}: MediaConfig) {
  return {
    concurrency,
    maxBytes,
    retries,
    revalidate,
    allowPrivate,
    keepsObsolete: obsolete === 'keep',
    maxMissing: toCountLimit(maxMissing),
    limits: {
      connectTimeoutMs: timeouts.connect,
      firstByteTimeoutMs: timeouts.firstByte,
      idleTimeoutMs: timeouts.idle,
    },
    totalTimeoutMs: timeouts.total,
  }
}

type Members = ReadonlyMap<string, Field>

/** The record itself if it has addresses, otherwise its photos. */
function defaultFrom({ fields }: { readonly fields: Members }): string {
  return !hasAddresses(fields) && fields.has('photos') ? 'photos[]' : '$'
}

function hasAddresses(fields: Members): boolean {
  return fields.get('formats')?.kind === 'object' || fields.get('url')?.kind === 'localized'
}

/** Fields of a photo, frontal or leaflet; or the problem of `from`. */
function resolveElement(root: Field, from: string, { name }: Contract): { readonly fields: Members } | Problem {
  const resolved = resolvePath(root, from)
  if (isPathProblem(resolved)) return problemAt(['media', 'from'], resolved.message, resolved.suggestion)
  const { field, steps } = resolved
  const isList = from === '$' || steps.at(-1)?.kind === 'all'
  if (isList && field.kind === 'object' && hasAddresses(field.fields)) return { fields: field.fields }
  const message =
    from === '$'
      ? `media.from: expected the path of a list of photos, frontals or leaflets, such as photos[], as a record of ${name} is none itself, got "$"`
      : `media.from: expected the path of a list of photos, frontals or leaflets, such as photos[], got "${from}"`
  return problemAt(['media', 'from'], message)
}

interface PlannedFormats {
  readonly formats: MediaPlan['formats']
  readonly columns: readonly { readonly column: string; readonly from: string }[]
  /** True for leaflets, which have an address per locale and no sizes. */
  readonly isLocalized: boolean
  readonly problems: readonly Problem[]
}

function planFormats({ formats }: MediaConfig, fields: Members): PlannedFormats {
  const sizes = fields.get('formats')
  if (sizes?.kind !== 'object') {
    const message = 'formats: expected none, as leaflets have no sizes'
    const problems =
      formats === undefined ? [] : [{ ...problemAt(['media', 'formats'], message), atKey: true as const }]
    return { formats: null, columns: [], isLocalized: true, problems }
  }
  const known = [...sizes.fields.keys()].filter((name) => name !== 'unkeyed')
  const wanted = [...new Set(formats ?? ['huge'])]
  const problems = (formats ?? []).flatMap((name, index) => {
    if (known.includes(name)) return []
    const message = `unknown format "${name}", expected one of ${listChoices(known)}`
    return [problemAt(['media', 'formats', index], message, closest(name, known))]
  })
  const found = wanted.filter((name) => known.includes(name))
  const columns = found.map((name) => ({ column: toFormatColumn(name), from: `formats.${name}` }))
  return {
    formats: found.map((name) => ({ name, column: toFormatColumn(name) })),
    columns,
    isLocalized: false,
    problems,
  }
}

function toFormatColumn(format: string): string {
  return `format_${toSnakeCase(format)}`
}

/** Excludes links, which have no image, from the media stream. */
function toWhere({ where }: MediaConfig, { name }: Contract): MediaConfig['where'] {
  return name === 'v4/media' && where['type'] === undefined ? { ...where, type: { not: 'link' } } : where
}

function toTable(
  config: MediaConfig,
  from: string,
  fields: Members,
  { columns, isLocalized }: Pick<PlannedFormats, 'columns' | 'isLocalized'>,
): TableConfig {
  const more = ['locales', 'displayOrder'].filter((name) => fields.has(name))
  const shape = { exclude: [], where: from === '$' ? {} : config.where }
  const addresses = isLocalized ? [{ from: 'url', as: 'json' }] : columns
  return {
    ...(from === '$' ? {} : { each: from }),
    columns: [{ column: 'item_id', from: 'id', as: 'text' }, ...more, ...addresses],
    ...shape,
  }
}

function toMediaProblem(problem: Problem): Problem {
  const [, , key, ...rest] = problem.path
  return { ...problem, path: key === 'where' ? ['media', 'where', ...rest] : ['media', 'from'] }
}

/** The locales to choose by; null if all files are downloaded. */
function planChain(
  { locale, fallback }: MediaConfig,
  from: string,
  isLocalized: boolean,
  locales: readonly string[],
): { readonly chain: LocaleChain | null; readonly problems: readonly Problem[] } {
  if (locale === undefined) {
    const message = 'fallback: expected together with a locale to begin with'
    return { chain: null, problems: fallback === undefined ? [] : [problemAt(['media', 'fallback'], message)] }
  }
  const known = [...new Set([...locales, ...specLocales])]
  const check = (name: string, path: Problem['path']): Problem[] => {
    if (known.includes(name)) return []
    const message = `unknown locale "${name}", expected one of ${listChoices(known)}`
    return [problemAt(path, message, closest(name, known))]
  }
  const listed = Array.isArray(fallback) ? fallback : []
  const problems = [
    ...check(locale, ['media', 'locale']),
    ...listed.flatMap((name, index) => check(name, ['media', 'fallback', index])),
  ]
  if (from === '$' && !isLocalized) {
    const message =
      'locale: expected with a list to choose from, such as photos[], as a record here is one image; use where'
    problems.push(problemAt(['media', 'locale'], message))
  }
  const chain = fallback === 'spec' ? toSpecChain(locale) : { locales: [locale, ...listed], others: false }
  return { chain, problems }
}

/** Requires a User-Agent that says who asks for images; the name of this tool does not. */
function checkUserAgent(
  config: MediaConfig,
  { needsMedia, sourceUserAgent }: MediaOptions,
): Omit<PlannedMedia, 'plan'> {
  if (config.userAgent !== undefined || sourceUserAgent !== undefined) return { problems: [], notes: [] }
  const message =
    'media.userAgent: expected who downloads, such as shop-images/1.0 (it@example.com), as the service requires that of requests for images, got nothing'
  const problem = problemAt(['media', 'userAgent'], message)
  return needsMedia ? { problems: [problem], notes: [] } : { problems: [], notes: [problem] }
}
