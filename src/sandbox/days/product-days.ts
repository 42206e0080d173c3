import { contracts } from '../../contracts/contracts.ts'
import type { Collection } from '../collections/collection.ts'
import { createColumns } from '../collections/columns.ts'
import { toProductId } from '../data/identity.ts'
import { memoize } from '../data/memoize.ts'
import type { JsonObject } from '../data/record-writer.ts'
import { toRunSeed } from '../data/seed.ts'
import { createChangeLog, type Change, type ChangeKind } from './change-log.ts'
import { createEvolvedRecords } from './evolve-record.ts'
import { planDay } from './plan-day.ts'

export type ProductContract = 'v4/product' | 'v3/product'

/** A change of a product, for comparison in tests. */
export interface SandboxChange {
  /** Days count from 1, after the catalogue as generated. */
  readonly day: number
  readonly id: string
  readonly kind: ChangeKind
  /** Unix seconds; `meta.updatedAt` from then on, unless the product has vanished. */
  readonly at: number
  /** The v4 record before, with unsigned addresses, created when read; null if there was none. */
  readonly before: JsonObject | null
  /** The v4 record after; null if the product has vanished. */
  readonly after: JsonObject | null
}

export interface ProductDays {
  readonly day: number
  /** Lets a day pass that begins at this unix second. */
  readonly advance: (start: number) => void
  /** The current products. Earlier collections keep their state. */
  readonly collectionOf: (contract: ProductContract) => Collection
  /** All changes or those of one day, ordered by time. */
  readonly changes: (day?: number) => Generator<SandboxChange, void, undefined>
  /** The v4 records at the end of a day, ordered by id; day 0 is as generated. */
  readonly productsOn: (day: number) => Generator<JsonObject, void, undefined>
}

export interface ProductDaysOptions {
  readonly products: number
  readonly seed: number
  readonly generated: (contract: ProductContract) => Collection
}

export function createProductDays({ products, seed, generated }: ProductDaysOptions): ProductDays {
  const log = createChangeLog()
  const evolvedOf = memoize((contract: ProductContract) =>
    createEvolvedRecords(contracts[contract], { seed, products }, log),
  )
  const ends: DayEnd[] = [{ count: 0, size: products }]
  let current = new Map<ProductContract, Collection>()

  const isThereAt = (number: number, count: number): boolean => {
    const version = log.versionOf(number, count)
    return version < 0 ? number < products : log.at(version).kind !== 'vanished'
  }

  function createView(contract: ProductContract, { count, size }: DayEnd): Collection {
    const base = generated(contract)
    if (count === 0) return base
    const evolved = evolvedOf(contract)
    const versionOf = (number: number): number => log.versionOf(number, count)
    const readRecord = (number: number): JsonObject => evolved.read(number, versionOf(number))
    return {
      ...base,
      size,
      isThere: (number) => isThereAt(number, count),
      readText(number) {
        const version = versionOf(number)
        return version < 0 ? base.readText(number) : Buffer.from(evolved.write(number, version))
      },
      columns: createColumns(size, readRecord, {
        columns: base.columns,
        changed: () => filterNumbers(size, (number) => versionOf(number) >= 0),
      }),
    }
  }

  function readVersion(number: number, version: number): JsonObject | null {
    if (version >= 0 ? log.at(version).kind === 'vanished' : number >= products) return null
    const text =
      version < 0 ? generated('v4/product').readText(number).toString() : evolvedOf('v4/product').write(number, version)
    return JSON.parse(text) as JsonObject
  }

  function toSandboxChange(version: number, day: number): SandboxChange {
    const { number, kind, at } = log.at(version)
    return {
      day,
      id: toProductId(number),
      kind,
      at,
      get before() {
        return readVersion(number, log.previousOf(version))
      },
      get after() {
        return readVersion(number, version)
      },
    }
  }

  return {
    get day() {
      return ends.length - 1
    },
    advance(start) {
      const { count, size } = endOf(ends, ends.length - 1)
      const evolved = evolvedOf('v4/product')
      const planned = planDay(toRunSeed(seed), ends.length, {
        size,
        isThere: (number) => isThereAt(number, count),
        statusOf: (number) => evolved.read(number, log.versionOf(number, count))['status'],
        vanished: [...filterNumbers(size, (number) => !isThereAt(number, count))],
      })
      let added = 0
      for (const { number, kind, replacement, second } of planned) {
        if (kind === 'new') added++
        const before = log.versionOf(number, log.count)
        // A late change must not be older than the previous one.
        const earliest = before < 0 ? 0 : log.at(before).at + 1
        log.add({ number, kind, replacement, at: Math.max(earliest, start + second) } satisfies Change)
      }
      ends.push({ count: log.count, size: size + added })
      current = new Map()
    },
    collectionOf(contract) {
      const view = current.get(contract) ?? createView(contract, endOf(ends, ends.length - 1))
      current.set(contract, view)
      return view
    },
    *changes(only) {
      for (let day = only ?? 1; day <= (only ?? ends.length - 1); day++) {
        const { count } = endOf(ends, day)
        for (let version = endOf(ends, day - 1).count; version < count; version++) yield toSandboxChange(version, day)
      }
    },
    *productsOn(day) {
      const { count, size } = endOf(ends, day)
      for (let number = 0; number < size; number++) {
        const record = readVersion(number, log.versionOf(number, count))
        if (record !== null) yield record
      }
    },
  }
}

interface DayEnd {
  readonly count: number
  readonly size: number
}

function endOf(ends: readonly DayEnd[], day: number): DayEnd {
  const end = ends[day]
  if (end === undefined) throw new RangeError(`expected a day up to ${ends.length - 1}, got ${day}`)
  return end
}

function* filterNumbers(size: number, fits: (number: number) => boolean): Generator<number> {
  for (let number = 0; number < size; number++) if (fits(number)) yield number
}
