import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asksForTrace } from '../../../../src/engine/observe/observe-run.ts'
import { readTraceSettings } from '../../../../src/engine/observe/trace/trace-settings.ts'
import { RunFolder, toStream } from '../../run-folder.ts'
import { Collector } from '../collector.ts'

/** A Python with opentelemetry-proto; see outcomes.test.ts. */
const { CATALOGUE_LINEAGE_PYTHON: python = '', CATALOGUE_REQUIRE_LINEAGE } = process.env
const skips = python === '' && CATALOGUE_REQUIRE_LINEAGE !== '1'

let collector: Collector
let folder: RunFolder

beforeEach(async () => {
  collector = await Collector.start()
  folder = await RunFolder.create()
  await folder.write('input.ndjson', toStream(['A', 'B']))
})
afterEach(async () => {
  await collector.close()
  await folder.remove()
})

interface Trace {
  readonly resource: Readonly<Record<string, unknown>>
  readonly scope: string
  readonly spans: readonly {
    readonly name: string
    readonly trace: string
    readonly id: string
    readonly parent: string
    readonly state: string
    readonly from: number
    readonly until: number
    readonly status: string
    readonly message: string
    readonly attributes: Readonly<Record<string, unknown>>
    readonly events: readonly [string, Readonly<Record<string, unknown>>][]
  }[]
}

async function readTrace(): Promise<Trace> {
  const child = promisify(execFile)(python, [join(import.meta.dirname, 'read-trace.py')])
  child.child.stdin?.end(JSON.stringify(collector.documents[0]))
  return JSON.parse((await child).stdout) as Trace
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe.skipIf(skips)('a trace as the classes of OpenTelemetry read it', () => {
  test('has a span of the run below the parent of the environment, and one of each stage within it', async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b, x-other = c',
      OTEL_SERVICE_NAME: 'nightly',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test,service.name=not-this',
      TRACEPARENT: `00-${traceId}-${spanId}-01`,
      TRACESTATE: 'vendor=1',
    }
    await folder.run({}, { env })
    expect(collector.received).toHaveLength(1)
    expect(collector.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-token': 'a b', 'x-other': 'c' },
    })
    const { resource, scope, spans } = await readTrace()
    expect(resource).toMatchObject({ 'service.name': 'nightly', 'deployment.environment': 'test' })
    expect(scope).toBe('catalogue-etl')
    const [run, ...stages] = spans
    expect(run).toMatchObject({
      name: 'run products',
      trace: traceId,
      parent: spanId,
      state: 'vendor=1',
      status: 'STATUS_CODE_UNSET',
      attributes: { 'catalogue_etl.ledger.accepted': 2, 'catalogue_etl.rows.products': 2, 'process.exit.code': 0 },
    })
    expect(stages.map(({ name }) => name)).toEqual(['prepare', 'read and encode', 'finish outputs', 'publish'])
    for (const stage of stages) {
      expect(stage).toMatchObject({ trace: traceId, parent: run?.id })
      expect(stage.from).toBeGreaterThan((run?.from ?? 0) - 2)
      expect(stage.until).toBeLessThan((run?.until ?? 0) + 2)
    }
    expect(new Set(spans.map(({ id }) => id)).size).toBe(5)
    expect(Math.abs(Date.now() - (run?.until ?? 0))).toBeLessThan(600_000)
  })

  test('of a refused run has the code of its error, and no password of an address', async () => {
    const env = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own?x=1` }
    const error = await folder.fail({ expect: [{ column: 'id', in: ['A'], severity: 'error' }] }, { env })
    expect(error?.code).toBe('RULE_BROKEN')
    expect(collector.received[0]?.path).toBe('/own?x=1')
    const [run] = (await readTrace()).spans
    expect(run).toMatchObject({
      status: 'STATUS_CODE_ERROR',
      message: 'RULE_BROKEN: The rows break a rule of the config',
      parent: '',
      attributes: { 'error.type': 'RULE_BROKEN', 'process.exit.code': 3, 'catalogue_etl.ledger.accepted': 2 },
      events: [['exception', { 'exception.type': 'RULE_BROKEN' }]],
    })
  })
})

test('another protocol than http/json is a warning, and nothing is sent', async () => {
  const warnings: string[] = []
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
  await folder.run({}, { env, onWarning: (text) => void warnings.push(text) })
  const reason = 'environment variable OTEL_EXPORTER_OTLP_PROTOCOL: expected http/json, got "grpc"'
  expect(warnings).toEqual([`OpenTelemetry: nothing was sent: ${reason}`])
  expect(collector.received).toEqual([])
})

test('a trace is asked for by an endpoint, unless OpenTelemetry or its traces are switched off', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  expect(asksForTrace(env)).toBe(true)
  expect(asksForTrace({})).toBe(false)
  expect(asksForTrace({ ...env, OTEL_SDK_DISABLED: 'TRUE' })).toBe(false)
  expect(asksForTrace({ ...env, OTEL_TRACES_EXPORTER: 'none' })).toBe(false)
  expect(asksForTrace({ ...env, OTEL_TRACES_EXPORTER: 'otlp' })).toBe(true)
})

test('a parent that is not sampled wants no trace, and an unreadable one is none', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  const parentOf = (TRACEPARENT: string) => readTraceSettings({ ...env, TRACEPARENT })?.parent
  expect(parentOf(`00-${traceId}-${spanId}-03`)).toEqual({ traceId, spanId, state: null })
  expect(parentOf(`00-${traceId}-${spanId}-00`)).toBeUndefined()
  for (const other of [
    '',
    'x',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-0-01`,
  ])
    expect(parentOf(other)).toBeNull()
})

test('settings that can not be read are named, and no value of a header is shown', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  const secret = 'Bearer%ZZsecret'
  const read = (more: object) => () => readTraceSettings({ ...env, ...more })
  expect(read({ OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret}` })).toThrow(
    /^environment variable OTEL_EXPORTER_OTLP_HEADERS: expected key=value,key=value, got something else$/,
  )
  expect(read({ OTEL_RESOURCE_ATTRIBUTES: '=x' })).toThrow('OTEL_RESOURCE_ATTRIBUTES: expected key=value')
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://x' })).toThrow(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: expected an address',
  )
})
