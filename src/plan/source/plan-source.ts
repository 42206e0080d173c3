import { checkEndpointName, endpoints, isEndpointName } from '../../service/endpoints/endpoints.ts'
import { checkRequest, type RequestConfig } from '../../service/endpoints/check-request.ts'
import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import type { RequestProblem } from '../../service/endpoints/request-issues.ts'
import { toRequestFilter } from '../../service/endpoints/to-request-filter.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { type ContractName, isContractName, suits } from '../../contracts/contracts.ts'
import { checkBaseUrl } from '../../service/http/check-base-url.ts'
import { type ClientSettings, defaultClientSettings } from '../../service/http/client-settings.ts'
import { ServiceCredentials } from '../../service/http/service-credentials.ts'
import { checkProxy, findProxy } from '../../service/http/service-proxy.ts'
import { checkObjectPath } from '../../storage/s3/object-path.ts'
import { checkPartition } from '../../service/read/time-windows.ts'
import type { ServiceSourcePlan, SourcePlan } from './source-plan.ts'
import { listSourceNotes } from './list-source-notes.ts'

type SourceConfig = CompletePipelineConfig['source']

export interface PlannedSource {
  readonly contract: ContractName | null
  readonly plan: SourcePlan | null
  readonly problems: readonly Problem[]
  /** Hints that do not stop a run. */
  readonly notes?: readonly Problem[]
}

export const serviceKeys = [
  'baseUrl',
  'keyId',
  'keySecret',
  'filter',
  'sorting',
  'page',
  'partition',
  'userAgent',
  'requestsPerMinute',
  'timeouts',
  'retries',
] as const
const fileKeys = ['format', 'parts', 'interface'] as const

const unwritten = { format: 'auto', parts: false, interface: undefined }

export interface SourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly needsService: boolean
  readonly now: number
  readonly timezone: string
  /** Whether the config has this key, even with an invalid value. */
  readonly isWritten: (key: keyof SourceConfig) => boolean
  /** Whether its value is a variable that is not set, which only `check` and `plan` allow. */
  readonly isUnset: (key: keyof SourceConfig) => boolean
}

export function planSource(source: SourceConfig, options: SourceOptions): PlannedSource {
  const { files, endpoint } = source
  if (files !== undefined && endpoint === undefined) return planFileSource(source, [files].flat(), options)
  if (endpoint !== undefined && files === undefined) return planServiceSource(source, endpoint, options)
  const isFaulty = files === undefined && (options.isWritten('files') || options.isWritten('endpoint'))
  const got = files === undefined ? 'neither' : 'both'
  const problems = isFaulty ? [] : [problemAt(['source'], `source: expected either files or an endpoint, got ${got}`)]
  return { contract: known(source.contract), plan: null, problems }
}

function planFileSource(source: SourceConfig, files: readonly string[], { isWritten }: SourceOptions): PlannedSource {
  const problems: Problem[] = serviceKeys.flatMap((key) =>
    source[key] === undefined ? [] : [misplaced(key, 'a source with an endpoint', 'files')],
  )
  const { contract, format, parts, interface: version } = source
  if (!isWritten('contract')) problems.push(missing('contract', 'expected one for files, such as contract: v4/product'))
  const repeated = files.filter((file) => file === '-').length > 1
  if (repeated) problems.push(problemAt(['source', 'files'], 'files: expected - (standard input) once, got it twice'))
  for (const file of files) {
    const problem = checkObjectPath(file)
    if (problem !== undefined) problems.push(problemAt(['source', 'files'], `files: ${problem}`))
  }
  if (version !== undefined && contract !== undefined && contract !== 'product')
    problems.push(misplaced('interface', 'a source with contract: product', `contract: ${contract}`))
  const plan = {
    kind: 'files',
    files,
    format,
    parts,
    ...(version && { interfaceVersion: version }),
    sourceIds: null,
  } as const
  return { contract: known(contract), plan, problems }
}

function planServiceSource(source: SourceConfig, name: string, options: SourceOptions): PlannedSource {
  const problems: Problem[] = fileKeys.flatMap((key) =>
    source[key] === unwritten[key] ? [] : [misplaced(key, 'a source with files', 'an endpoint')],
  )
  const wrongName = checkEndpointName(name)
  if (wrongName !== undefined) problems.push(problemAt(['source', 'endpoint'], wrongName.message, wrongName.suggestion))
  // The rest of the config is checked against the name that was probably meant.
  const meant = wrongName?.suggestion ?? name
  if (!isEndpointName(meant)) return { contract: known(source.contract), plan: null, problems }
  const endpoint: Endpoint = endpoints[meant]
  const { sorting, page } = source
  const clock = { now: new Date(options.now), timezone: options.timezone }
  for (const problem of checkRequest(meant, toRequestConfig(source), clock)) problems.push(toProblem(problem))
  problems.push(...checkContract(source.contract, endpoint), ...checkAddress(source, options))
  problems.push(...checkWindows(source, endpoint), ...checkCredentials(source))
  if (options.needsService) problems.push(...checkAccess(options), ...checkWay(source.baseUrl, options))
  const contract = chooseContract(source.contract, endpoint)
  const notes = [...listSourceNotes(source, meant), ...(options.needsService ? [] : noteAccess(options))]
  if (problems.length > 0) return { contract, plan: null, problems, notes }
  const baseUrl = toBaseUrl(source, options)
  const filter = source.filter === undefined ? endpoint.defaultFilter : toRequestFilter(meant, source.filter, clock)
  const plan: ServiceSourcePlan = {
    kind: 'service',
    endpoint: endpoint.name,
    method: endpoint.method,
    path: endpoint.path,
    baseUrl,
    filter,
    sorting: sorting ?? endpoint.defaultSorting,
    page: page ?? null,
    partition: source.partition ?? null,
    sourceIds: null,
    client: planClient(source),
    proxy: baseUrl === null ? null : findProxy(baseUrl, options.env),
    credentials: toCredentials(source, options),
  }
  return { contract, plan, problems, notes }
}

/** Leaves out undefined members, which the schema would refuse. */
function toRequestConfig({ filter, sorting, page }: SourceConfig): RequestConfig {
  return { ...(filter && { filter }), ...(sorting && { sorting }), ...(page && { page }) }
}

function toProblem({ path, message, suggestion }: RequestProblem): Problem {
  const problem = problemAt(['source', ...path], message, suggestion)
  return message.startsWith('unknown') ? { ...problem, atKey: true } : problem
}

/** The contract of the endpoint, unless it is raw or the config asks for raw records. */
function chooseContract(written: string | undefined, endpoint: Endpoint): ContractName | null {
  if (written === undefined) return endpoint.contract
  const isOther = endpoint.contract === 'raw' || written === 'raw' || suits(written, endpoint.contract)
  return isOther ? known(written) : endpoint.contract
}

function checkContract(contract: string | undefined, endpoint: Endpoint): Problem[] {
  const path = ['source', 'contract']
  if (contract === undefined || endpoint.contract === 'raw' || contract === 'raw') return []
  if (suits(contract, endpoint.contract)) return []
  return [problemAt(path, `contract: expected ${endpoint.contract}, which ${endpoint.name} returns, got "${contract}"`)]
}

const accessKeys = ['baseUrl', 'keyId', 'keySecret'] as const

function checkAccess({ isWritten }: SourceOptions): Problem[] {
  return accessKeys.flatMap((key) => (isWritten(key) ? [] : [missing(key, 'expected text for an endpoint')]))
}

function noteAccess({ isWritten }: SourceOptions): Problem[] {
  const keys = accessKeys.filter((key) => !isWritten(key))
  if (keys.length === 0) return []
  const names = new Intl.ListFormat('en').format(keys).replace(', and ', ' and ')
  const message = `source: ${names} ${keys.length === 1 ? 'is' : 'are'} missing: it can run only --from files`
  return [problemAt(['source'], message)]
}

function checkWay(baseUrl: string | undefined, { env }: SourceOptions): Problem[] {
  const message = baseUrl !== undefined && URL.canParse(baseUrl) ? checkProxy(baseUrl, env) : null
  return message === null ? [] : [problemAt(['source', 'baseUrl'], message)]
}

function missing(key: keyof SourceConfig, expected: string): Problem {
  return problemAt(['source', key], `missing key "${key}", ${expected}, got nothing`)
}

function checkAddress({ baseUrl }: SourceConfig, { isUnset }: SourceOptions): Problem[] {
  const message = baseUrl === undefined || isUnset('baseUrl') ? null : checkBaseUrl(baseUrl)
  return message === null ? [] : [problemAt(['source', 'baseUrl'], `baseUrl: ${message}`)]
}

/** Half a surrogate pair can't be encoded as UTF-8. */
function checkCredentials({ keyId, keySecret }: SourceConfig): Problem[] {
  return Object.entries({ keyId, keySecret }).flatMap(([key, text]) =>
    text === undefined || text.isWellFormed()
      ? []
      : [problemAt(['source', key], `${key}: expected text, got an escape of half a character (a lone surrogate)`)],
  )
}

function toBaseUrl({ baseUrl }: SourceConfig, { isUnset }: SourceOptions): string | null {
  return baseUrl === undefined || isUnset('baseUrl') ? null : baseUrl.replace(/\/+$/, '')
}

function toCredentials({ keyId, keySecret }: SourceConfig, { isUnset }: SourceOptions): ServiceCredentials | null {
  if (keyId === undefined || keySecret === undefined || isUnset('keyId') || isUnset('keySecret')) return null
  return new ServiceCredentials(keyId, keySecret)
}

function checkWindows({ partition }: SourceConfig, endpoint: Endpoint): Problem[] {
  const message = partition === undefined ? null : checkPartition(endpoint)
  return message === null ? [] : [problemAt(['source', 'partition'], message)]
}

function misplaced(key: string, expected: string, got: string): Problem {
  return {
    path: ['source', key],
    atKey: true,
    message: `source: expected ${key} only in ${expected}, got it beside ${got}`,
  }
}

function known(contract: string | undefined): ContractName | null {
  return contract !== undefined && isContractName(contract) ? contract : null
}

function planClient({ userAgent, requestsPerMinute, timeouts, retries }: SourceConfig): ClientSettings {
  const usual = defaultClientSettings
  return {
    userAgent: userAgent ?? usual.userAgent,
    requestsPerMinute: requestsPerMinute ?? usual.requestsPerMinute,
    retries: retries ?? usual.retries,
    limits: {
      connectTimeoutMs: timeouts?.connect ?? usual.limits.connectTimeoutMs,
      firstByteTimeoutMs: timeouts?.firstByte ?? usual.limits.firstByteTimeoutMs,
      idleTimeoutMs: timeouts?.idle ?? usual.limits.idleTimeoutMs,
    },
  }
}
