import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isObject } from '../../records/json/json-values.ts'
import type { ProductDays } from '../days/product-days.ts'
import { controlPath, type Routes } from './routes.ts'
import { sendJson } from './send-answer.ts'
import { toInvalid } from './service-error.ts'

export interface DayRouteOptions {
  readonly days: ProductDays
  /** Advances the clock and the products by a number of days. */
  readonly advance: (days: number) => void
}

/**
 * Creates `POST /sandbox/advance`, which lets days pass, and `GET /sandbox/changes`, which lists changes of products.
 */
export function createDayRoutes({ days, advance }: DayRouteOptions): Routes {
  return new Map([
    [
      `POST ${controlPath}advance`,
      async ({ body, response }) => {
        const before = days.day
        advance(parseDays(body))
        sendJson(response, 200, { day: days.day, changes: countKinds(days, before + 1) })
      },
    ],
    [
      `GET ${controlPath}changes`,
      async ({ query, response }) => {
        const day = parseDay(query['day'], days.day)
        response.setHeader('content-type', 'application/x-ndjson')
        await pipeline(Readable.from(formatChanges(days, day)), response)
      },
    ],
  ])
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
  throw toInvalid([
    { path: 'days', message: `expected a whole number of days from 1 to ${mostDays}, got ${JSON.stringify(days)}` },
  ])
}

const mostDays = 366

function parseDay(text: unknown, today: number): number | undefined {
  if (text === undefined) return undefined
  const day = Number(text)
  if (typeof text === 'string' && /^\d+$/.test(text) && day >= 1 && day <= today) return day
  throw toInvalid([{ path: 'day', message: `expected a day from 1 to ${today}, got ${JSON.stringify(text)}` }])
}
