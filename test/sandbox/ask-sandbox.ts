import type { EndpointName } from '../../src/service/endpoints/endpoints.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

export type Json = Record<string, unknown>

export interface AskOptions {
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** Sends a request with the right credentials; POST if it has a body. */
export function ask(sandbox: Sandbox, name: string, { body, query, method, headers }: AskOptions = {}) {
  const url = new URL(`/${name}`, sandbox.baseUrl)
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value)
  return fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: toBasic(sandbox.keyId, sandbox.keySecret),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

export function toBasic(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
}

export interface Line {
  readonly meta: { readonly total: number; readonly index: number }
  readonly result: Json
}

/** Lines of a stream; none for a 204. */
export async function readStream(
  sandbox: Sandbox,
  name: EndpointName,
  filter: unknown = {},
  sorting: unknown = { id: 'ASC' },
): Promise<Line[]> {
  const response = await ask(sandbox, name, { body: { filter, sorting } })
  if (response.status === 204) return []
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return toLines(text)
}

export function toLines(text: string): Line[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line)
}

export interface Page {
  readonly meta: { readonly total: number; readonly page?: { no: number; offset: number; size: number } }
  readonly results: Json[]
}

export async function readPage(sandbox: Sandbox, name: EndpointName, body: unknown): Promise<Page> {
  const response = await ask(sandbox, name, { body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return JSON.parse(text) as Page
}

export async function readError(response: Response) {
  const { error } = (await response.json()) as {
    error: { status: number; code: string; message: string; violations?: { path: string; message: string }[] }
  }
  return error
}

export const idsOf = (records: readonly Json[]) => records.map(({ id }) => id)
