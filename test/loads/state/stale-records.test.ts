import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourcePlan } from '../../../src/plan/source/source-plan.ts'
import { toStaleState, type StaleEnd } from '../../../src/loads/state/stale-records.ts'
import { ScriptedService, type ScriptedRecord } from './scripted-service.ts'
import { StateFolder } from './state-folder.ts'

let folder: StateFolder
let service: ScriptedService

beforeEach(async () => {
  folder = await StateFolder.create()
  service = await ScriptedService.start()
})
afterEach(async () => {
  await service.close()
  await folder.close()
})

const long = 1_000_000
/** Later than the start of any run. */
const soon = Math.floor(Date.now() / 1000) + 86_400

describe('a record that is rejected in a delta', () => {
  test('a record that is rejected in a delta is asked for by its id every night, until it comes valid, though with an older cursor', async () => {
    await start({ id: 'A', name: 'first', updatedAt: long })
    service.records = [{ id: 'A', updatedAt: soon, broken: 'contract' }]
    expect((await run()).state.stale).toEqual({ records: 1, ids: ['A'] })
    expect(await names()).toEqual({ A: 'first' })
    service.records = [{ id: 'A', updatedAt: long + 1, broken: 'contract' }]
    const still = await run()
    expect(service.filters.slice(-2)).toEqual([{ updatedSince: expect.any(Number) as number }, { id: ['A'] }])
    expect(still.state.stale).toEqual({ records: 1, ids: ['A'] })
    service.records = [{ id: 'A', name: 'second', updatedAt: long + 1 }]
    const { state, notes, sources } = await run()
    expect(state).toMatchObject({ kind: 'delta', changes: { changed: 1 }, stale: { records: 0, ids: [] } })
    expect(notes?.[0]).toMatch(/, and 1 that were rejected before$/)
    expect(sources.map(({ name }) => name)).toEqual(['v4/products/stream', 'v4/products/stream, 1 record by id'])
    expect(await names()).toEqual({ A: 'second' })
    await run()
    expect(service.filters.at(-1)).toEqual({ updatedSince: expect.any(Number) as number })
  })

  test('a record that is rejected in a delta is removed once the service no longer has it, or it left the filter', async () => {
    await start({ id: 'A', updatedAt: long }, { id: 'B', updatedAt: long }, { id: 'C', updatedAt: long })
    service.records = ['A', 'B'].map((id) => ({ id, updatedAt: soon, broken: 'contract' }))
    await run()
    service.records = [{ id: 'A', status: 'inactive', updatedAt: long }]
    const { state } = await run()
    expect(state).toMatchObject({ kind: 'delta', changes: { removed: 2 }, stale: { records: 0, ids: [] } })
    expect(Object.keys(await names())).toEqual(['C'])
  })

  test('a record that is rejected in a delta does not count against the limit of rejects again', async () => {
    await start({ id: 'A', updatedAt: long })
    service.records = [{ id: 'A', updatedAt: soon, broken: 'contract' }]
    await run()
    const { ledger } = await run({ rejects: { limit: 0 } })
    expect(ledger.rejected).toBeGreaterThan(0)
    service.records = [...service.records, { id: 'B', updatedAt: soon, broken: 'contract' }]
    const error = await folder.fail(config({ rejects: { limit: 0 } }))
    expect(error).toMatchObject({ code: 'TOO_MANY_REJECTS' })
    expect(error.message).toContain('expected at most 0 of 1 lines to be rejected, got 1')
  })

  test('a record that is rejected in a delta stops no night by a share of its few lines, and two do', async () => {
    await start({ id: 'A', updatedAt: long })
    service.records = [{ id: 'A', updatedAt: soon, broken: 'contract' }]
    expect((await run({ rejects: { limit: '1%' } })).state).toMatchObject({ kind: 'delta', stale: { ids: ['A'] } })
    service.records = ['B', 'C'].map((id) => ({ id, updatedAt: soon, broken: 'contract' }))
    const error = await folder.fail(config({ rejects: { limit: '1%' } }))
    expect(error.message).toContain(
      'expected at most 1 (1%, and always one in a delta) of 2 lines to be rejected, got 2',
    )
  })

  test('a record that is rejected in a delta stays stale when a span is filled in, which may bring it valid', async () => {
    await start({ id: 'A', updatedAt: long })
    service.records = ['A', 'B'].map((id) => ({ id, updatedAt: soon, broken: 'contract' }))
    await run()
    service.records = [{ id: 'A', updatedAt: 5 }]
    const window = { since: new Date(0), until: new Date(10_000), progress: null }
    const { state } = await folder.run(config(), { window })
    expect(state.stale).toEqual({ records: 1, ids: ['B'] })
  })

  test('the next run reads everything if a delta rejected a record whose id the filter does not accept', async () => {
    await start({ id: 'A', updatedAt: long })
    service.records = [{ id: '7 no id', updatedAt: soon, broken: 'contract' }]
    const { state } = await run()
    expect(state.stale).toEqual({ records: 1, ids: [] })
    expect((await run()).notes).toEqual([
      "everything was read, as v4/products/stream can't be asked for 1 of the records that were rejected",
    ])
  })

  test('a record that is rejected in a delta is asked for with everything by the next run after the service refused to be asked by ids', async () => {
    await start({ id: 'A', name: 'first', updatedAt: long })
    service.records = [{ id: 'A', updatedAt: soon, broken: 'contract' }]
    await run()
    service.idStatus = 422
    service.records = [{ id: 'A', name: 'second', updatedAt: long }]
    const { state, sources } = await run()
    expect(state).toMatchObject({ kind: 'delta', stale: { records: 1, ids: [] } })
    expect(sources[1]?.notes?.refused).toContain('422')
    expect(await names()).toEqual({ A: 'first' })
    expect((await run()).notes?.[0]).toBe(
      'everything was read, as the service refused to be asked for records by their ids',
    )
    expect(await names()).toEqual({ A: 'second' })
  })
})

describe('a rejected line without a readable id', () => {
  test('a rejected line without a readable id lets every next run read everything, until there is none', async () => {
    await start({ id: 'A', name: 'first', updatedAt: long })
    service.records = [...service.records, { id: 'B', updatedAt: soon, broken: 'json' }]
    expect((await run()).state).toMatchObject({ kind: 'delta', stale: { records: 1, ids: [] } })
    service.records = [{ id: 'A', name: 'second', updatedAt: long }]
    const { state, notes } = await run()
    expect(notes?.[0]).toBe("everything was read, as the last run had 1 rejected line whose id can't be read")
    expect(state).toMatchObject({ kind: 'full', stale: { records: 0, ids: [] } })
    expect(await names()).toEqual({ A: 'second' })
    expect((await run()).state.kind).toBe('delta')
  })
})

describe('a record that is rejected in a full read', () => {
  test('a record that is rejected in a full read is asked for by its id by the next run', async () => {
    await start({ id: 'A', name: 'first', updatedAt: long })
    service.records = [{ id: 'A', updatedAt: long, broken: 'contract' }]
    const full = await folder.run(config(), { fullRefresh: true })
    expect(full.state).toMatchObject({ kind: 'full', stale: { records: 1, ids: ['A'] } })
    service.records = [{ id: 'A', name: 'second', updatedAt: long }]
    await run()
    expect(await names()).toEqual({ A: 'second' })
  })

  test('a record that is rejected in a full read is stale also beside a valid line of it, which may be an older version', async () => {
    const { state } = await start(broken('A'), valid('A'), valid('B'), broken('B'), broken('C'), broken('C'))
    expect(state.stale).toEqual({ records: 3, ids: ['A', 'B', 'C'] })
    service.records = [valid('A'), valid('B'), valid('C')]
    expect((await run()).state).toMatchObject({ kind: 'delta', stale: { records: 0 } })
  })

  test('a record that is rejected in a full read is asked for with at most 999 others in one request', async () => {
    await start(
      ...Array.from({ length: 1001 }, (_, at): ScriptedRecord => {
        return { id: `M${at}`, updatedAt: long, broken: 'contract' }
      }),
    )
    service.filters.length = 0
    expect((await run()).state).toMatchObject({ kind: 'delta', stale: { records: 1001 } })
    expect(service.filters.map(({ id = [] }) => id.length)).toEqual([0, 1000, 1])
  })
})

describe('stale records beyond 10,000', () => {
  const source = { kind: 'service', endpoint: 'v4/products/stream' } as SourcePlan

  test('stale records beyond 10,000 are not remembered by their ids: the next run reads everything instead', () => {
    expect(toStaleState(source, toEnd(10_000), false)).toEqual({
      stale: { records: 10_000, ids: toEnd(10_000).ids },
      needsFull: null,
    })
    expect(toStaleState(source, toEnd(10_001), false)).toEqual({
      stale: { records: 10_001, ids: [] },
      needsFull: 'the last run left 10001 records that were rejected, more than 10000',
    })
  })

  test('any stale media make the next run read everything, as no filter for their ids is documented', () => {
    const media = { kind: 'service', endpoint: 'v4/media/stream' } as SourcePlan
    expect(toStaleState(media, { ids: ['7'], linesWithoutId: 0, gone: [] }, false)).toEqual({
      stale: { records: 1, ids: [] },
      needsFull: "v4/media/stream can't be asked for 1 of the records that were rejected",
    })
  })
})

function broken(id: string): ScriptedRecord {
  return { id, updatedAt: long, broken: 'contract' }
}

function valid(id: string): ScriptedRecord {
  return { id, updatedAt: long }
}

function toEnd(records: number): StaleEnd {
  return { ids: Array.from({ length: records }, (_, at) => `M${at}`), linesWithoutId: 0, gone: [] }
}

async function start(...records: ScriptedRecord[]) {
  service.records = records
  return run()
}

function run(changes: Parameters<StateFolder['run']>[0] = {}) {
  return folder.run(config(changes))
}

function config(changes: Parameters<StateFolder['run']>[0] = {}): Parameters<StateFolder['run']>[0] {
  return {
    source: { ...service.source, filter: { status: ['active'] } },
    incremental: { overlap: '0s', fullEvery: '900d' },
    tables: { products: { columns: ['id', 'name.nl'] } },
    rejects: { limit: '100%' },
    ...changes,
  }
}

/** By id. */
async function names(): Promise<Record<string, unknown>> {
  return Object.fromEntries((await folder.rows()).map(({ id, name_nl }) => [id, name_nl]))
}
