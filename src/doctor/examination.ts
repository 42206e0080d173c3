import type { Endpoint } from '../service/endpoints/endpoint.ts'
import { endpoints, isEndpointName, type EndpointName } from '../service/endpoints/endpoints.ts'
import { toHttpRequest } from '../service/http/http-request.ts'
import type { ServiceRequest } from '../service/http/http-call.ts'
import { isObject } from '../records/json/json-values.ts'
import type { ExaminedInterpretation } from './examination-report.ts'
import { findRecords, type FoundRecords } from './find-records.ts'
import type { InterpretationName } from './interpretations.ts'
import type { Answer } from './read-answer.ts'
import type { ServiceProbe } from './service-probe.ts'

export type Finding = ExaminedInterpretation['findings'][number] & { readonly interpretation: InterpretationName }
export type Verdict = Finding['verdict']

export interface Observation {
  readonly endpoint: Endpoint & { readonly name: EndpointName }
  /** Null if the endpoint needs an id and none is known. */
  readonly answer: Answer | null
  readonly found: FoundRecords
  readonly askedIds: readonly string[]
}

const fewLines = 3
const smallestPage = { no: 0, size: 10 } as const

/** Asks each endpoint once and collects findings. */
export class Examination {
  readonly #probe: Pick<ServiceProbe, 'ask'>
  readonly #selected: ReadonlySet<EndpointName>
  readonly #observations = new Map<EndpointName, Observation>()
  readonly findings: Finding[] = []

  constructor(probe: Pick<ServiceProbe, 'ask'>, selected: readonly EndpointName[]) {
    this.#probe = probe
    this.#selected = new Set(selected)
  }

  /** Whether the user asked for an endpoint. Others may be asked for ids. */
  isSelected(name: EndpointName): boolean {
    return this.#selected.has(name)
  }

  get observations(): readonly Observation[] {
    return [...this.#observations.values()]
  }

  get selected(): readonly Observation[] {
    return this.observations.filter(({ endpoint }) => this.isSelected(endpoint.name))
  }

  /** The smallest answer of an endpoint, requested at the first call only. */
  async observe(name: EndpointName): Promise<Observation> {
    const known = this.#observations.get(name)
    if (known !== undefined) return known
    const observation = await this.#askSmallest(name)
    this.#observations.set(name, observation)
    return observation
  }

  async ask(name: EndpointName, request: ServiceRequest, lines: number | null = null): Promise<AskedAnswer> {
    const answer = await this.#probe.ask({ endpoint: name, request, lines })
    return { answer, found: toFound(answer, endpoints[name].read === 'find') }
  }

  add(interpretation: InterpretationName, endpoint: EndpointName, verdict: Verdict, detail: string): void {
    if (this.isSelected(endpoint)) this.findings.push({ interpretation, endpoint, verdict, detail })
  }

  judge(interpretation: InterpretationName, endpoint: EndpointName, holds: boolean, detail: string): void {
    this.add(interpretation, endpoint, holds ? 'holds' : 'differs', detail)
  }

  async #askSmallest(name: EndpointName): Promise<Observation> {
    const endpoint = { ...endpoints[name], name } as Observation['endpoint']
    const ids = await this.#findIds(endpoint)
    if (endpoint.read === 'find' && ids.length === 0)
      return { endpoint, answer: null, found: toFound(null, true), askedIds: [] }
    const asked = endpoint.read === 'find' ? ids.slice(0, 1) : ids
    const { answer, found } = await this.ask(name, ...toSmallestQuestion(endpoint, asked))
    return { endpoint, answer, found, askedIds: asked }
  }

  /** Ids for an endpoint that needs them, from the query of the same records. */
  async #findIds({ name, read }: Observation['endpoint']): Promise<readonly string[]> {
    const query = read === 'find' || read === 'stream' ? queryOf(name) : null
    return query === null ? [] : listIds((await this.observe(query)).found).slice(0, fewLines)
  }
}

export interface AskedAnswer {
  readonly answer: Answer
  readonly found: FoundRecords
}

function toFound(answer: Answer | null, isFind: boolean): FoundRecords {
  const isFilled = answer?.kind === 'answer' && answer.status < 300
  return findRecords(isFilled ? answer.body : { kind: 'empty' }, isFind)
}

function toSmallestQuestion(endpoint: Endpoint, ids: readonly string[]): [ServiceRequest, number | null] {
  const sorting = endpoint.sorting === 'required' ? endpoint.defaultSorting : null
  switch (endpoint.read) {
    case 'paged': {
      const filter = endpoint.filter === 'required' ? endpoint.defaultFilter : null
      return [toHttpRequest(endpoint, { filter, sorting }, smallestPage), null]
    }
    case 'stream':
      return [toHttpRequest(endpoint, { filter: toIdFilter(endpoint.name, ids), sorting }), fewLines]
    case 'find':
      return [toHttpRequest(endpoint, { filter: { id: ids[0] ?? '' }, sorting: null }), null]
    case 'list':
      return [toHttpRequest(endpoint, { filter: null, sorting: null }), null]
  }
}

/** Ids of media are whole numbers; ids of products are text. */
function toIdFilter(name: string, ids: readonly string[]): Readonly<Record<string, unknown>> {
  if (ids.length === 0) return {}
  return { id: name.startsWith('v4/media') ? ids.map(Number) : ids }
}

/**
 * The query that lists the records of a `find`, `get`, `stream` or `export` endpoint. Falls back to v4 if v3 has none.
 */
function queryOf(name: string): EndpointName | null {
  const start = name.replace(/\/\w+$/, '')
  const candidates = [`${start}/query`, `${start}/search`, `${start.replace(/^v3/, 'v4')}/query`]
  return candidates.find(isEndpointName) ?? null
}

export function listIds({ records }: FoundRecords): string[] {
  return records.flatMap((record) => {
    const id = isObject(record) ? record['id'] : undefined
    return typeof id === 'string' || typeof id === 'number' ? [String(id)] : []
  })
}

/** Why an answer shows no records, without text from the service; null if it does show some. */
export function describeSilence({ answer, found }: Pick<Observation, 'answer' | 'found'>): string | null {
  if (answer === null) return 'not asked: no id is known'
  if (answer.kind === 'failure') return answer.reason
  const { status } = answer
  if (status >= 300) return describeStatus(status)
  if (found.form.kind === 'error') return `status ${status} with an error`
  if (found.form.kind === 'other') return `status ${status} with ${found.form.reason}`
  return found.records.length === 0 ? 'no record' : null
}

function describeStatus(status: number): string {
  const meaning = statuses[status] ?? (status >= 500 ? 'the service failed' : 'refused')
  return `status ${status}: ${meaning}`
}

const statuses: Readonly<Record<number, string>> = {
  400: 'the request is not accepted',
  401: 'the key is not accepted',
  403: 'not allowed for this key',
  404: 'not found',
  405: 'the method is not allowed',
  422: 'the request is not accepted',
  429: 'too many requests',
}

export function isRefusedRequest(answer: Answer | null): boolean {
  return answer?.kind === 'answer' && [400, 404, 405, 406, 411, 415, 422].includes(answer.status)
}
