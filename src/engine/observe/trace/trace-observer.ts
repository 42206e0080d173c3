import { randomBytes } from 'node:crypto'
import { readToolVersion } from '../../../package-file.ts'
import type { RequiredContext } from '../../../run-context.ts'
import { redact } from '../lineage/run-event.ts'
import { postJson } from '../post-json.ts'
import type { EndedStage, FinishedRun, RunObserver, StartedRun } from '../run-observer.ts'
import { readTraceSettings, type TraceSettings } from './trace-settings.ts'

/** Posts one trace of a run when it has ended: a span of the run, and one of each stage. */
export class TraceObserver implements RunObserver {
  readonly name = 'OpenTelemetry'
  hasSent = false
  readonly #env: RequiredContext<'env'>['env']
  readonly #stages: EndedStage[] = []
  #started: StartedRun | null = null

  constructor(env: RequiredContext<'env'>['env']) {
    this.#env = env
  }

  started(run: StartedRun): void {
    this.#started = run
  }

  stage(stage: EndedStage): void {
    this.#stages.push(stage)
  }

  async finished(end: FinishedRun, signal: AbortSignal): Promise<void> {
    const settings = readTraceSettings(this.#env)
    if (settings === null || this.#started === null) return
    const trace = toTrace(this.#started, this.#stages, end, settings)
    await postJson(settings.address, trace, { headers: settings.headers, env: this.#env, signal })
    this.hasSent = true
  }
}

type Value = string | number | boolean
type Attributes = Readonly<Record<string, Value>>

/** An `ExportTraceServiceRequest` of OTLP, by proto3's JSON mapping: ids are hexadecimal, 64-bit numbers are text. */
function toTrace(
  { plan, startedAt }: StartedRun,
  stages: readonly EndedStage[],
  end: FinishedRun,
  { resource, parent }: TraceSettings,
) {
  const traceId = parent?.traceId ?? newId(16)
  const state = parent?.state ? { traceState: parent.state } : {}
  const spanId = newId(8)
  const common = { traceId, ...state, kind: 1, flags: 1 }
  const run = {
    ...common,
    spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    name: `run ${plan.name}`,
    ...toTimes(startedAt.getTime(), end.finishedAt.getTime()),
    attributes: toAttributes({ 'catalogue_etl.pipeline': plan.name, ...describeEnd(end) }),
    ...toFailure(end),
  }
  const spans = stages.map(({ name, from, until }) => {
    return { ...common, spanId: newId(8), parentSpanId: spanId, name, ...toTimes(from, until) }
  })
  const { name, version } = readToolVersion()
  const sdk = { 'telemetry.sdk.name': name, 'telemetry.sdk.language': 'nodejs', 'telemetry.sdk.version': version }
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ 'service.version': version, ...sdk, ...resource }) },
        scopeSpans: [{ scope: { name, version }, spans: [run, ...spans] }],
      },
    ],
  }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}

/** In nanoseconds, of which a number has too few digits. */
function toTimes(fromMs: number, untilMs: number) {
  return { startTimeUnixNano: toNano(fromMs), endTimeUnixNano: toNano(Math.max(fromMs, untilMs)) }
}

function toNano(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`
}

/** What the run counted, as far as it came. */
function describeEnd(end: FinishedRun): Attributes {
  const exit = {
    'catalogue_etl.outcome': end.outcome,
    'process.exit.code': end.outcome === 'failed' ? end.error.exitCode : 0,
  }
  const error = end.outcome === 'failed' ? { 'error.type': end.error.code } : {}
  if (end.report === null) return { ...exit, ...error }
  const { runId, ledger, completeness, tables } = end.report
  return {
    ...exit,
    ...error,
    'catalogue_etl.run_id': runId,
    'catalogue_etl.completeness': completeness.status,
    ...Object.fromEntries(Object.entries(ledger).map(([outcome, count]) => [`catalogue_etl.ledger.${outcome}`, count])),
    ...Object.fromEntries(tables.map(({ name, rows }) => [`catalogue_etl.rows.${name}`, rows])),
  }
}

function toFailure(end: FinishedRun): object {
  if (end.outcome === 'published') return {}
  const { code, title, message } = end.error
  const exception = { 'exception.type': code, 'exception.message': redact(message) }
  const timeUnixNano = toNano(end.finishedAt.getTime())
  return {
    status: { code: 2, message: `${code}: ${title}` },
    events: [{ name: 'exception', timeUnixNano, attributes: toAttributes(exception) }],
  }
}

function toAttributes(values: Attributes) {
  return Object.entries(values).map(([key, value]) => ({ key, value: toValue(value) }))
}

function toValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value }
  return typeof value === 'boolean' ? { boolValue: value } : { intValue: `${value}` }
}
