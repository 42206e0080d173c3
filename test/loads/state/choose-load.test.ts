import { describe, expect, test } from 'vitest'
import type { StatefulPlan } from '../../../src/plan/loads/stateful-plan.ts'
import { chooseLoad, type ChoiceContext } from '../../../src/loads/state/choose-load.ts'
import type { PublishedManifest, PublishedState } from '../../../src/manifest/manifest.ts'

const hour = 3_600_000
const now = Date.parse('2026-03-10T00:00:00Z')
const stateful = {
  incremental: { overlapMs: hour, fullEveryMs: 7 * 24 * hour, filter: {}, where: [] },
} as unknown as StatefulPlan
const context: ChoiceContext = { canAsk: true, configHash: 'a', service: null, now, fullRefresh: false, targets: [] }

const target = {
  name: 'duckdb, schema "main"',
  startedAt: new Date('2026-03-09T02:00:00Z'),
  lastFullAt: new Date('2026-03-05T02:00:00Z'),
  syncedUntil: new Date('2026-03-09T02:00:00Z'),
  needsFull: null,
}

function publish(state: Partial<PublishedState> = {}): PublishedManifest {
  const startedAt = '2026-03-09T02:00:00.000Z'
  const usual = { startedAt, syncedUntil: startedAt, lastFullAt: '2026-03-05T02:00:00.000Z' }
  return { pipeline: 'x', configHash: 'a', files: [], state: { ...usual, ...state } as PublishedState }
}

describe('a run asks for', () => {
  test('a run asks for what changed since the start of the last one and the overlap', () => {
    const choice = chooseLoad(stateful, publish(), context)
    expect(choice).toEqual({ kind: 'delta', since: new Date('2026-03-09T01:00:00Z'), until: null, again: [] })
  })

  test('a run asks for what changed since the database that is furthest behind was in sync', () => {
    const targets = [
      { ...target, syncedUntil: new Date('2026-03-08T00:00:00Z') },
      { ...target, startedAt: new Date('2026-03-09T03:00:00Z'), syncedUntil: new Date('2026-03-09T03:00:00Z') },
    ]
    const choice = chooseLoad(stateful, publish(), { ...context, targets })
    expect(choice).toEqual({ kind: 'delta', since: new Date('2026-03-07T23:00:00Z'), until: null, again: [] })
  })

  test('a run asks for stale records by their ids, beside what changed', () => {
    const stale = { records: 2, ids: ['A', 'B'] }
    expect(chooseLoad(stateful, publish({ stale }), context)).toMatchObject({ kind: 'delta', again: ['A', 'B'] })
  })

  test.each<[string, PublishedManifest | null, Partial<ChoiceContext>, string | null]>([
    ['first', null, {}, 'no run before it published a state'],
    ['after a reset', { ...publish(), state: null }, {}, 'no run before it published a state'],
    ['after one without a state', { ...publish(), state: undefined }, {}, 'no run before it published a state'],
    ['when asked to', publish(), { fullRefresh: true }, 'it was asked for'],
    ['with another config', publish(), { configHash: 'b' }, 'the config is not that of the last run'],
    [
      'of another service',
      publish({ service: 'test.example.com' }),
      { service: 'api.example.com' },
      'the last run asked test.example.com, and this one asks api.example.com',
    ],
    ['after one over files', publish({ syncedUntil: null }), {}, 'it is not known how far what is published reaches'],
    ['for a reason that the state gives', publish({ needsFull: 'why' }), {}, 'why'],
    ['after windows alone', publish({ lastFullAt: null }), {}, 'no run before it read everything'],
    ['when it is due', publish(), { now: now + 3 * 24 * hour }, 'the last one was at 2026-03-05T02:00:00.000Z'],
    [
      'for a new database',
      publish(),
      { targets: [{ ...target, syncedUntil: null }] },
      'a database has no load of it yet',
    ],
    ['for a database that needs it', publish(), { targets: [{ ...target, needsFull: 'why' }] }, 'why'],
    [
      'for a database that was put back to before the last run',
      publish(),
      { targets: [target, { ...target, startedAt: new Date('2026-03-08T02:00:00Z') }] },
      'the last load of duckdb, schema "main" is of 2026-03-08T02:00:00.000Z, before the last run, of 2026-03-09T02:00:00.000Z: an older database was put in its place',
    ],
    [
      'where a full read reached one database only',
      publish(),
      { targets: [{ ...target, lastFullAt: new Date('2026-03-08T02:00:00Z') }] },
      'everything was last read at 2026-03-08T02:00:00.000Z for duckdb, schema "main", and at 2026-03-05T02:00:00.000Z for what the manifest lists',
    ],
    ['over files', publish(), { canAsk: false }, null],
  ])('a run asks for everything %s', (_, published, changes, reason) => {
    expect(chooseLoad(stateful, published, { ...context, ...changes })).toEqual({ kind: 'full', reason })
  })
})
