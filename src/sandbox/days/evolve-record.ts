import { contracts, type Contract } from '../../contracts/contracts.ts'
import { toProductId } from '../data/identity.ts'
import {
  createRecordMembers,
  toLazyRecord,
  type GenerateRecordOptions,
  type JsonObject,
} from '../data/record-writer.ts'
import { between, childSeed, pick, toSalt } from '../data/seed.ts'
import type { Change, ChangeKind, ChangeLog } from './change-log.ts'

export interface EvolvedRecords {
  readonly write: (number: number, version: number) => string
  readonly read: (number: number, version: number) => JsonObject
}

/** Creates products of a contract from their seeds and changes up to a version. */
export function createEvolvedRecords(
  contract: Contract,
  options: GenerateRecordOptions,
  log: ChangeLog,
): EvolvedRecords {
  const members = createRecordMembers(contract, options)

  function toWriter(number: number, version: number): (name: string) => string {
    const history = readHistory(version, log)
    const seed = members.seedOf(number)
    const seeds = toFieldSeeds(seed, history.changes)
    return (name) => {
      const written = members.write.get(name)?.(seeds.get(name) ?? seed, number) ?? ''
      return overrides.get(name)?.(written, history) ?? written
    }
  }

  return {
    write(number, version) {
      const write = toWriter(number, version)
      const parts: string[] = []
      for (const name of members.write.keys()) {
        const text = write(name)
        if (text !== '') parts.push(`${JSON.stringify(name)}:${text}`)
      }
      return `{${parts.join(',')}}`
    },
    read: (number, version) => toLazyRecord(toWriter(number, version)),
  }
}

interface History {
  readonly changes: number
  readonly createdAt: number | null
  readonly updatedAt: number | null
  readonly statusChange: Change | null
}

function readHistory(version: number, log: ChangeLog): History {
  let changes = 0
  let createdAt: number | null = null
  let updatedAt: number | null = null
  let statusChange: Change | null = null
  for (let at = version; at >= 0; at = log.previousOf(at)) {
    const change = log.at(at)
    if (change.kind === 'changed') changes++
    if (change.kind === 'new') createdAt = change.at
    if (change.kind !== 'vanished') updatedAt ??= change.at
    if (statuses.has(change.kind)) statusChange ??= change
  }
  return { changes, createdAt, updatedAt, statusChange }
}

const statuses: ReadonlyMap<ChangeKind, string> = new Map([
  ['inactive', 'inactive'],
  ['replaced', 'replaced'],
  ['deleted', 'inactive'],
  ['activated', 'active'],
])

/**
 * Seeds of fields that differ from their record's: each change of content gives one to three fields a new seed. The
 * fields are the same in every contract.
 */
function toFieldSeeds(record: number, changes: number): ReadonlyMap<string, number> {
  const seeds = new Map<string, number>()
  for (let nth = 1; nth <= changes; nth++) {
    const seed = childSeed(record, changeSalt + nth)
    const count = between(1, 3, seed)
    for (let field = 1; field <= count; field++) seeds.set(pick(changeable, childSeed(seed, field)), seed)
  }
  return seeds
}

const changeSalt = toSalt('change of content')

/**
 * Values that changes set regardless of seeds. A new seed may give the old value again, but the price moves with each
 * change, so content never repeats.
 */
const overrides = new Map<string, (written: string, history: History) => string>([
  [
    'status',
    (written, { statusChange }) => (statusChange === null ? written : JSON.stringify(statuses.get(statusChange.kind))),
  ],
  [
    'replacement',
    (written, { statusChange }) => {
      if (statusChange === null) return written
      return statusChange.replacement === null ? 'null' : JSON.stringify(toProductId(statusChange.replacement))
    },
  ],
  ['deleted', (written, { statusChange }) => (statusChange?.kind === 'deleted' ? 'true' : written)],
  [
    'officialDeletionAt',
    (written, { statusChange }) => (statusChange?.kind === 'deleted' ? String(statusChange.at) : written),
  ],
  [
    'publicPrice',
    (written, { changes }) => (changes === 0 ? written : String(Number(toValue(written) ?? 0) + changes)),
  ],
  [
    'meta',
    (written, { createdAt, updatedAt }) => {
      if (updatedAt === null) return written
      const created = createdAt === null ? {} : { createdAt }
      return JSON.stringify({ ...(toValue(written) as JsonObject | null), ...created, updatedAt })
    },
  ],
])

const changeable = [...contracts['v4/product'].fields.keys()].filter((name) => name !== 'id' && !overrides.has(name))

function toValue(text: string): unknown {
  return text === '' ? null : JSON.parse(text)
}
