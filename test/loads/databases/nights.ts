import type { DatabaseLoad } from '../../../src/loads/databases/database-output.ts'
import type { ModelRecord } from './load-model.ts'
import { anyLoad } from './load-rows.ts'

/** The steps that a load may have reached when it is killed. */
export type LoadPhase = 'start' | 'opened' | 'finished' | 'committing' | 'committed'

const day = 86_400_000
const firstStart = Date.parse('2026-03-01T00:00:00Z')

/** The first night and every fourth bring everything, the others what has changed since the night before. */
export function nightlyLoad(night: number): DatabaseLoad {
  const startedAt = new Date(firstStart + night * day)
  const isFull = night % 4 === 0
  return {
    ...anyLoad,
    kind: isFull ? 'full' : 'delta',
    runId: `night-${night}`,
    startedAt,
    since: new Date(startedAt.getTime() - day),
    syncedUntil: startedAt,
  }
}

/** The same for the same night: some records change, are touched, come, or go. */
export function nightlyRecords(night: number): ModelRecord[] {
  const isFull = night % 4 === 0
  return Array.from({ length: 1500 }, (_, number) => toRecord(number, night)).filter((record, number) => {
    const isThere = (number + Math.floor(night / 4)) % 11 !== 0
    return isThere && (isFull || (record.updatedAt ?? 0) > firstStart + (night - 1) * day)
  })
}

function toRecord(number: number, night: number): ModelRecord {
  const lastTouch = Math.max(0, night - ((number + night) % 5))
  const lastChange = number % 3 === 0 ? lastTouch : 0
  return {
    id: `P${number}`,
    name: `product ${number}, version ${lastChange}`,
    photos: Array.from({ length: number % 3 }, (_, at) => `https://example.com/${number}/${lastChange}/${at}.jpg`),
    updatedAt: firstStart + lastTouch * day,
  }
}
