import { endpointNames, checkEndpointName, isEndpointName, type EndpointName } from '../service/endpoints/endpoints.ts'
import { CatalogueError } from '../errors.ts'
import { checkAnswers } from './checks/check-answers.ts'
import { checkAcceptance, checkErrorBodies, checkMoreRequests } from './checks/check-requests.ts'
import { checkValues, describeShapes } from './checks/check-values.ts'
import type { RecordShape } from './describe-shape.ts'
import { describeSilence, Examination, type Finding, type Observation } from './examination.ts'
import type { AnswerForm } from './find-records.ts'
import { interpretationNames, interpretationOf } from './interpretations.ts'
import type { ExaminedEndpoint, ExaminedInterpretation, ExaminationReport } from './examination-report.ts'
import type { Answer } from './read-answer.ts'
import { ServiceProbe, type ProbedService, type ProbeOptions } from './service-probe.ts'

export interface ExamineOptions extends Omit<ProbeOptions, 'onRequest'> {
  /** Default: all. */
  readonly only?: readonly EndpointName[] | undefined
  readonly onProgress?: ((progress: ExamineProgress) => void) | undefined
}

export interface ExamineProgress {
  readonly endpoint: EndpointName
  readonly done: number
  readonly endpoints: number
}

/** Number of endpoints that may fail before the others are given up. */
const mostSilent = 3

/**
 * Asks each endpoint that reads for its smallest answer, and reports which interpretations hold. The report contains no
 * value of any record. If no endpoint answers with data, throws the reason, such as SERVICE_UNAUTHORIZED. Throws
 * INTERRUPTED if `signal` aborts.
 */
export async function examineService(service: ProbedService, options: ExamineOptions): Promise<ExaminationReport> {
  const { only = endpointNames, onProgress, ...probeOptions } = options
  const startedAt = new Date()
  let done = 0
  const onRequest = (endpoint: EndpointName): void => onProgress?.({ endpoint, done, endpoints: only.length })
  const probe = new ServiceProbe(service, { ...probeOptions, onRequest })
  try {
    const examination = new Examination(probe, only)
    for (const name of only) {
      await examination.observe(name)
      done++
      if (done === only.length || (done >= mostSilent && isHopeless(examination)))
        checkAnswered(examination, service.baseUrl)
    }
    const shapes = describeShapes(examination.observations)
    await checkAll(examination, shapes, probe)
    return {
      baseUrl: service.baseUrl,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      requests: probe.requests,
      interpretations: interpretationNames.map((name) => toExamined(name, examination.findings)),
      endpoints: examination.selected.map((observation) => toExaminedEndpoint(observation, shapes)),
    }
  } finally {
    await probe.close()
  }
}

async function checkAll(
  examination: Examination,
  shapes: ReadonlyMap<EndpointName, RecordShape>,
  probe: ServiceProbe,
): Promise<void> {
  checkAcceptance(examination)
  await checkAnswers(examination)
  await checkValues(examination, shapes)
  await checkMoreRequests(examination)
  checkErrorBodies(examination)
  const refused = probe.refusals === 0 ? 'none' : String(probe.refusals)
  const detail = `${probe.requests} requests, ${refused} of them refused with 429`
  const [first] = examination.selected
  if (first !== undefined) examination.add('budget', first.endpoint.name, 'untold', detail)
}

/**
 * Whether the service is unreachable or the key unknown, so other endpoints would fail too. After a 403 they may not.
 */
function isHopeless({ observations }: Examination): boolean {
  return observations.every(({ answer }) => answer === null || answer.kind === 'failure' || answer.status === 401)
}

function checkAnswered({ observations }: Examination, baseUrl: string): void {
  const asked = observations.filter(({ answer }) => answer !== null)
  if (asked.length === 0 || asked.some((observation) => isAnswered(observation))) return
  const [first] = asked
  if (first?.answer?.kind === 'failure') throw toPlainError(first.answer, baseUrl)
  const statuses = new Set(asked.map(({ answer }) => (answer?.kind === 'answer' ? answer.status : null)))
  const reasons = asked.map((observation) => describeSilence(observation))
  const isRefused = [...statuses].every((status) => status === 401 || status === 403)
  const message = `${baseUrl}: expected records from ${asked.length === 1 ? 'the endpoint' : `one of ${asked.length} endpoints`}, got ${[...new Set(reasons)].join('; ')}`
  throw new CatalogueError(
    isRefused ? 'SERVICE_UNAUTHORIZED' : statuses.has(404) ? 'SERVICE_NOT_FOUND' : 'SERVICE_FAILED',
    message,
  )
}

function isAnswered({ answer, found }: Observation): boolean {
  if (answer?.kind !== 'answer' || answer.status >= 300) return false
  return found.form.kind !== 'other' && found.form.kind !== 'error'
}

/** Removes text that the service chose. */
function toPlainError({ error, reason }: Extract<Answer, { kind: 'failure' }>, baseUrl: string): CatalogueError {
  if (error.code === 'SERVICE_UNREACHABLE' || error.code === 'SERVICE_UNTRUSTED') return error
  return new CatalogueError(error.code, `${baseUrl}: expected an answer that can be read, got none: ${reason}`)
}

function toExamined(name: (typeof interpretationNames)[number], all: readonly Finding[]): ExaminedInterpretation {
  const { title, isHandled, fix, doctor } = interpretationOf(name)
  const findings = all.filter(({ interpretation }) => interpretation === name)
  const differs = findings.some(({ verdict }) => verdict === 'differs')
  const holds = findings.some(({ verdict }) => verdict === 'holds')
  const verdict = differs ? 'differs' : holds ? 'holds' : 'untold'
  return {
    name,
    title,
    verdict,
    isAsked: doctor !== null && findings.length > 0,
    isHandled: differs ? isHandled : null,
    fix: differs ? fix : null,
    findings: findings.map(({ endpoint, verdict: each, detail }) => ({ endpoint, verdict: each, detail })),
  }
}

function toExaminedEndpoint(
  observation: Observation,
  shapes: ReadonlyMap<EndpointName, RecordShape>,
): ExaminedEndpoint {
  const { endpoint, answer, found } = observation
  const shape = shapes.get(endpoint.name)
  const answered = answer?.kind === 'answer' ? answer : null
  return {
    name: endpoint.name,
    method: endpoint.method,
    status: answered?.status ?? null,
    contentType: answered?.mediaType ?? null,
    headers: answered?.headers ?? [],
    form: answered === null ? null : describeForm(found.form),
    records: found.records.length,
    total: found.total,
    silence: describeSilence(observation),
    fields: [...(shape?.types ?? [])].map(([path, types]) => ({ path, types: Object.fromEntries(types) })),
    fieldsBeyond: [...(shape?.beyond ?? [])].map(([path, types]) => ({ path, types: [...types] })),
  }
}

function describeForm(form: AnswerForm): string {
  switch (form.kind) {
    case 'nothing':
      return 'nothing'
    case 'list':
      return form.member === null ? 'a list' : `a list in "${form.member}"`
    case 'lines':
      return form.hasEnvelopes ? 'lines with meta and result' : 'lines'
    case 'record':
      return form.member === null ? 'a record' : `a record in "${form.member}"`
    case 'error':
      return 'an error'
    case 'other':
      return form.reason
  }
}

/** Checks the names in a list of endpoints. Throws USAGE if any is unknown. */
export function toEndpointNames(names: readonly string[]): EndpointName[] {
  const wrong = names.filter((name) => !isEndpointName(name))
  if (wrong.length === 0) return names.filter(isEndpointName)
  const shown = wrong.map((name) => JSON.stringify(name)).join(', ')
  const near = wrong.flatMap((name) => checkEndpointName(name)?.suggestion ?? [])
  const meant = near.length === 0 ? '' : `; did you mean ${near.map((name) => `"${name}"`).join(', ')}?`
  const message = `--only: expected endpoints that "catalogue-etl endpoints" lists, got ${shown}${meant}`
  throw new CatalogueError('USAGE', message)
}
