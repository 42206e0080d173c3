import type { CountLimit } from './pipeline-plan.ts'

/** A limit as the schema accepts it: a count, or a share such as 1%. */
export function toCountLimit(limit: number | string): CountLimit {
  return typeof limit === 'string' && limit.endsWith('%')
    ? { kind: 'share', percent: Number.parseFloat(limit) }
    : { kind: 'count', count: Number(limit) }
}
