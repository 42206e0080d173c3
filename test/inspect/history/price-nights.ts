import type { ScriptedRecord } from '../../loads/state/scripted-service.ts'

/** A load of the script: what the service answers, and its clock in milliseconds. */
export interface ScriptedLoad {
  readonly now: number
  readonly records: readonly ScriptedRecord[]
}

const dayMs = 86_400_000
const prices = [0, -5, null, 1, 250, 999, 1000, 1001, 2399]

/**
 * Nights of a catalogue with every trap of prices: zero, negative and missing ones, removals, returns with the same and with another
 * price, changes of everything else, and days with two loads. The same seed gives the same nights.
 */
export function scriptNights(seed: number, nights: number, start: number): ScriptedLoad[] {
  const draw = drawFrom(seed)
  const ids = Array.from({ length: 24 }, (_, at) => `P${String(at).padStart(2, '0')}`)
  const records = new Map<string, ScriptedRecord>()
  const loads: ScriptedLoad[] = []
  for (let night = 0; night < nights; night++) {
    for (let load = 0; load <= (night % 3 === 1 ? 1 : 0); load++) {
      const now = start + night * dayMs + load * 6 * 3_600_000
      for (const id of ids) {
        const before = records.get(id)
        const record = evolve(before, { id, updatedAt: now / 1000 - 60, draw })
        if (record !== before && record !== undefined) records.set(id, record)
      }
      loads.push({ now, records: [...records.values()] })
    }
  }
  return loads
}

interface Change {
  readonly id: string
  readonly updatedAt: number
  readonly draw: (below: number) => number
}

function evolve(before: ScriptedRecord | undefined, { id, updatedAt, draw }: Change): ScriptedRecord | undefined {
  const price = prices[draw(prices.length)]!
  const photos = Array.from({ length: draw(3) }, (_, at) => at + 1)
  if (before === undefined)
    return draw(3) === 0 ? undefined : { id, name: `name ${draw(100)}`, price, photos, updatedAt }
  const isGone = before.status === 'inactive'
  switch (draw(7)) {
    case 0:
      return { ...before, price, status: 'active', updatedAt }
    case 1:
      return isGone ? { ...before, status: 'active', updatedAt } : { ...before, name: `name ${draw(100)}`, updatedAt }
    case 2:
      return { ...before, status: 'inactive', updatedAt }
    case 3:
      return { ...before, photos, updatedAt }
    case 4:
      return { ...before, updatedAt }
    default:
      return before
  }
}

function drawFrom(seed: number): Change['draw'] {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
