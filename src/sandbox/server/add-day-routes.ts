import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ProductDays } from '../days/product-days.ts'
import { isObject } from '../collections/record-values.ts'
import { ServiceError } from './service-error.ts'

/** Where the sandbox is told what to do, which the service has nothing like; no request there counts against the rate. */
export const controlPath = '/sandbox/'

export interface DayRouteOptions {
  readonly days: ProductDays
  /** Lets so many days pass. */
  readonly advance: (days: number) => void
}

/** Adds `POST /sandbox/advance`, which lets days pass, and `GET /sandbox/changes`, which tells what happened. */
export function addDayRoutes(server: FastifyInstance, { days, advance }: DayRouteOptions): void {
  server.post(`${controlPath}advance`, async ({ body }) => {
    const before = days.day
    advance(parseDays(body))
    return { day: days.day, changes: countKinds(days, before + 1) }
  })
  server.get(`${controlPath}changes`, async ({ query }, reply) => {
    const day = parseDay((query as Readonly<Record<string, unknown>>)['day'], days.day)
    await reply.type('application/x-ndjson').send(Readable.from(formatChanges(days, day)))
  })
}

function* formatChanges(days: ProductDays, day: number | undefined): Generator<string> {
  for (const change of days.changes(day)) yield `${JSON.stringify(change)}\n`
}

function countKinds(days: ProductDays, from: number): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let day = from; day <= days.day; day++) {
    for (const { kind } of days.changes(day)) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

function parseDays(body: unknown): number {
  const { days = 1 } = isObject(body) ? body : {}
  if (Number.isSafeInteger(days) && Number(days) >= 1 && Number(days) <= mostDays) return Number(days)
  throw toInvalid('days', `expected a whole number of days from 1 to ${mostDays}, got ${JSON.stringify(days)}`)
}

const mostDays = 366

function parseDay(text: unknown, today: number): number | undefined {
  if (text === undefined) return undefined
  const day = Number(text)
  if (typeof text === 'string' && /^\d+$/.test(text) && day >= 1 && day <= today) return day
  throw toInvalid('day', `expected a day from 1 to ${today}, got ${JSON.stringify(text)}`)
}

function toInvalid(path: string, message: string): ServiceError {
  return new ServiceError(422, 'The request is not valid', { violations: [{ path, message }] })
}
