import type { Contract } from '../../../src/contracts/contracts.ts'
import type { Field } from '../../../src/contracts/fields.ts'
import { toExpectedRepeats } from '../../records/expected-repeats.ts'
import { toList, toObject, toText } from '../outputs/expected-tables.ts'

export interface ExpectedDrift {
  readonly unknownFields: Record<string, number>
  readonly unknownValues: Record<string, Record<string, number>>
  readonly otherLocales: Record<string, number>
  readonly oddCodes: Record<string, Record<string, number>>
  readonly nullElements: Record<string, number>
  readonly invalidValues: Record<string, Record<string, number>>
  readonly duplicateKeys: Record<string, number>
}

/**
 * The parts of the delivered JSON of records beyond the contract and the locales, counted; and the keys that come again on
 * their lines.
 */
export function toExpectedDrift(
  contract: Contract,
  records: readonly unknown[],
  locales: readonly string[],
  lines: readonly string[],
): ExpectedDrift {
  const drift: ExpectedDrift = {
    unknownFields: {},
    unknownValues: {},
    otherLocales: {},
    oddCodes: {},
    nullElements: {},
    invalidValues: {},
    duplicateKeys: {},
  }
  const walk = (field: Field, delivered: unknown, path: string): void => {
    if (delivered === null || delivered === undefined) return
    if (field.kind === 'scalar' && field.values !== undefined && !field.values.includes(toText(delivered))) {
      add((drift.unknownValues[path] ??= {}), toText(delivered))
    }
    if (field.kind === 'scalar' && field.length !== undefined) {
      for (const code of [delivered].flat().map(toText)) {
        if (code !== '' && !new RegExp(`^\\d{1,${field.length}}$`).test(code)) add((drift.oddCodes[path] ??= {}), code)
      }
    }
    if (field.kind === 'list') {
      for (const element of toList(delivered) ?? []) {
        if (element === null) add(drift.nullElements, `${path}[]`)
        walk(field.element, element, `${path}[]`)
      }
    }
    if (field.kind === 'localized' && typeof delivered === 'object') {
      for (const [locale, value] of Object.entries(delivered)) {
        if (value !== null && !locales.includes(locale)) add(drift.otherLocales, locale)
        walk(field.element, value, `${path}.*`)
      }
    }
    if (field.kind === 'object') {
      for (const [name, value] of Object.entries(toObject(field.record, delivered) ?? {})) {
        const member = field.fields.get(name)
        const memberPath = path === '' ? name : `${path}.${name}`
        if (member === undefined) add(drift.unknownFields, memberPath)
        else walk(member, value, memberPath)
      }
    }
  }
  const root: Field = { kind: 'object', record: contract.record, fields: contract.fields, description: '', notes: {} }
  for (const record of records) walk(root, record, '')
  for (const line of lines) {
    for (const [path, times] of Object.entries(toExpectedRepeats(contract, line))) {
      drift.duplicateKeys[path] = (drift.duplicateKeys[path] ?? 0) + times
    }
  }
  return drift
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}
