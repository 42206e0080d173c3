import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases, depth } from '../../depth.ts'
import type { ScriptedRecord } from './scripted-service.ts'
import { ScriptedWarehouse, toWarehouseRow, type WarehouseRow } from './scripted-warehouse.ts'

const timeout = 600_000
const day = 86_400
/** Unix seconds; in the future, so that no clock but the service's is taken for now. */
const start = Date.UTC(2050, 0, 1, 2) / 1000
const nightsInARow = depth.nights
const daysBetweenFullReads = cases(8, 2)

/** An event of a day, mostly to one product. */
type Event =
  /** Its content changes; an older version may come beside it, before or after it. */
  | { readonly kind: 'change'; readonly id: string; readonly older: 'none' | 'before' | 'behind' }
  | { readonly kind: 'leave' | 'vanish'; readonly id: string }
  /** The new version breaks its contract, or is no JSON. */
  | { readonly kind: 'break'; readonly id: string; readonly how: 'contract' | 'json' }
  /** All that the last run rejected is put right, as if it had never been touched. */
  | { readonly kind: 'put right' }

const id = fc.constantFrom('A', 'B', 'C', 'D')
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      id,
      older: fc.constantFrom('none', 'before', 'behind'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'vanish' as const), id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('break' as const),
      id,
      how: fc.constantFrom(...Array.from({ length: 7 }, () => 'contract' as const), 'json' as const),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'put right' as const }) },
)
/** Events of a day: often none, so that the service answers 204. */
const anyNight = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(event, { maxLength: 4 }) },
)

const changes: Event = { kind: 'change', id: 'C', older: 'none' }
const breaks: Event = { kind: 'break', id: 'C', how: 'contract' }
const putRight: Event = { kind: 'put right' }
/** Nights that random ones meet too rarely. */
const scripts: Readonly<Record<string, Event[][]>> = {
  'a record that breaks and is put right in a day': [[changes], [breaks, putRight], [putRight], [], []],
  'a record that breaks, is put right, and breaks again': [
    [{ ...changes, id: 'A' }],
    [changes, breaks, putRight],
    [breaks, putRight],
    [],
  ],
  'a stale record whose line can no longer be read': [
    [changes],
    [breaks],
    [{ ...breaks, how: 'json' }],
    [],
    [putRight],
    [],
  ],
}

let warehouse: ScriptedWarehouse

beforeAll(async () => {
  warehouse = await ScriptedWarehouse.create()
})
afterAll(() => warehouse.close())

test(
  'nights with rejects that are put right unseen, empty answers and older versions leave what the service has',
  { timeout },
  async () => {
    const nights = fc.array(anyNight, { minLength: nightsInARow, maxLength: nightsInARow })
    await fc.assert(fc.asyncProperty(nights, runNights), { numRuns: cases(2, 1), endOnFailure: true })
  },
)

test.each(Object.entries(scripts))(
  '%s leaves its older row or its newest, never none',
  { timeout },
  async (_, events) => {
    await expect(runNights(events)).resolves.toBeUndefined()
  },
)

/** Runs the nights, and compares what each leaves with the model. */
async function runNights(events: readonly (readonly Event[])[]): Promise<void> {
  warehouse.begin()
  const model = new NightModel()
  for (const [night, ofNight] of events.entries()) {
    const now = start + night * day
    for (const each of ofNight) model.meet(each, now - day / 2)
    warehouse.service.records = model.lines
    warehouse.service.now = now * 1000
    const { state } = await warehouse.run(
      { incremental: { overlap: '1h', fullEvery: `${daysBetweenFullReads}d` } },
      { now: () => now * 1000 },
    )
    expect(state.kind, `night ${night}`).toBe(model.load(now))
    for (const [place, rows] of Object.entries(await warehouse.rows()))
      expect(rows, `night ${night}, ${place}`).toEqual(model.rows)
  }
}

interface Product {
  readonly current: ScriptedRecord
  readonly older: { readonly at: 'before' | 'behind'; readonly record: ScriptedRecord } | null
}

/** The records that the service has, and those that outputs have to hold after each night: broken ones as they were before. */
class NightModel {
  readonly #products = new Map<string, Product>()
  readonly #rows = new Map<string, WarehouseRow>()
  #names = 0
  #lastFull: number | null = null
  #needsFull = false
  /** Known to be rejected since the last night: removed at once when they are gone. */
  #stale = new Set<string>()

  meet(happened: Event, updatedAt: number): void {
    const name = `name ${++this.#names}`
    if (happened.kind === 'put right') return this.#putRight(name)
    const { id: one } = happened
    const isThere = this.#products.has(one)
    if (happened.kind === 'vanish') this.#products.delete(one)
    else if (happened.kind === 'change') {
      const older = { id: one, name: `${name}, older`, updatedAt: updatedAt - 60 }
      const beside = happened.older === 'none' ? null : { at: happened.older, record: older }
      this.#products.set(one, { current: { id: one, name, updatedAt }, older: beside })
    } else if (happened.kind === 'leave' && isThere)
      this.#products.set(one, { current: { id: one, status: 'inactive', updatedAt }, older: null })
    else if (happened.kind === 'break' && isThere)
      this.#products.set(one, { current: { id: one, name, updatedAt, broken: happened.how }, older: null })
  }

  /** Records that broke since the last run stay: no delta could find new content under an old time that no run rejected. */
  #putRight(name: string): void {
    for (const [one, { current }] of this.#products) {
      if (current.broken === undefined || !this.#stale.has(one)) continue
      this.#products.set(one, { current: { id: one, name, updatedAt: start - 400 * day }, older: null })
    }
  }

  /** The lines of the service. */
  get lines(): ScriptedRecord[] {
    return [...this.#products.values()].flatMap(({ current, older }) => {
      if (older === null) return [current]
      return older.at === 'before' ? [older.record, current] : [current, older.record]
    })
  }

  /** In the order of ids. */
  get rows(): WarehouseRow[] {
    return [...this.#rows.values()].toSorted(([one], [other]) => (one < other ? -1 : 1))
  }

  /** A night's run; gives what it reads. */
  load(now: number): 'full' | 'delta' {
    const isFull = this.#lastFull === null || this.#needsFull || now >= this.#lastFull + daysBetweenFullReads * day
    if (isFull) this.#lastFull = now
    const hasUnreadable = [...this.#products.values()].some(({ current }) => current.broken === 'json')
    // A line that can't be read may be any record that did not come.
    const showsRemovals = (one: string) => isFull || (this.#stale.has(one) && !hasUnreadable)
    for (const one of this.#rows.keys()) if (!this.#products.has(one) && showsRemovals(one)) this.#rows.delete(one)
    for (const [one, { current }] of this.#products) this.#take(one, current, isFull)
    const broken = [...this.#products.values()].map(({ current }) => current).filter((current) => current.broken)
    const active = [...this.#products.values()].filter(({ current }) => current.status === undefined)
    this.#needsFull = broken.some((current) => current.broken === 'json') || (isFull && active.length === 0)
    this.#stale = new Set(broken.map((current) => current.id))
    return isFull ? 'full' : 'delta'
  }

  #take(one: string, current: ScriptedRecord, isFull: boolean): void {
    const isHere = current.broken === undefined && current.status === undefined
    if (isHere) this.#rows.set(one, toWarehouseRow(current))
    // A line that is no JSON can be of any record.
    else if (current.broken === undefined || (current.broken === 'json' && isFull)) this.#rows.delete(one)
  }
}
