import type { RequiredContext } from '../../../run-context.ts'

type Environment = RequiredContext<'env'>['env']

export interface TraceSettings {
  readonly address: URL
  readonly headers: Readonly<Record<string, string>>
  /** Attributes of the resource, with `service.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly parent: SpanContext | null
}

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly state: string | null
}

/**
 * The settings of OpenTelemetry's environment; null if the parent trace is not sampled. Throws TypeError for a variable
 * that can't be read, and for another protocol than http/json.
 */
export function readTraceSettings(env: Environment): TraceSettings | null {
  const ofTraces = (name: string) => env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`]
  const protocol = ofTraces('PROTOCOL') ?? 'http/json'
  if (protocol !== 'http/json')
    throw new TypeError(`environment variable OTEL_EXPORTER_OTLP_PROTOCOL: expected http/json, got "${protocol}"`)
  const parent = parseTraceParent(env['TRACEPARENT'] ?? '', env['TRACESTATE'] || null)
  if (parent === 'unsampled') return null
  const written = parsePairs('OTEL_RESOURCE_ATTRIBUTES', env['OTEL_RESOURCE_ATTRIBUTES'])
  const name = env['OTEL_SERVICE_NAME'] || written['service.name'] || 'catalogue-etl'
  return {
    address: toAddress(env),
    headers: parsePairs('OTEL_EXPORTER_OTLP_HEADERS', ofTraces('HEADERS')),
    resource: { ...written, 'service.name': name },
    parent,
  }
}

/** The address for traces is complete; the one for all signals ends before `/v1/traces`. */
function toAddress(env: Environment): URL {
  const own = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const all = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? ''
  const address = own || `${all.replace(/\/+$/, '')}/v1/traces`
  if (/^https?:\/\//i.test(address) && URL.canParse(address)) return new URL(address)
  const variable = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'
  throw new TypeError(`environment variable ${variable}: expected an address such as http://localhost:4318`)
}

/** `key=value,key=value`, percent-encoded as in the header Baggage. No message shows a value, which may be a secret. */
function parsePairs(variable: string, text = ''): Record<string, string> {
  const entries = text.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    entries.map((pair) => {
      const [, key = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
      if (key === '') throw unreadable(variable)
      try {
        return [decodeURIComponent(key), decodeURIComponent(value)]
      } catch (cause) {
        throw unreadable(variable, cause)
      }
    }),
  )
}

function unreadable(variable: string, cause?: unknown): TypeError {
  return new TypeError(`environment variable ${variable}: expected key=value,key=value, got something else`, { cause })
}

/** The header traceparent of https://www.w3.org/TR/trace-context. Another form is no parent, as it says. */
function parseTraceParent(text: string, state: string | null): SpanContext | 'unsampled' | null {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(text.trim()) ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return (Number.parseInt(flags, 16) & 1) === 1 ? { traceId, spanId, state } : 'unsampled'
}
