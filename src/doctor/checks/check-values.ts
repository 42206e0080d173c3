import type { EndpointName } from '../../service/endpoints/endpoints.ts'
import { endpoints } from '../../service/endpoints/endpoints.ts'
import { contracts, type Contract, type ContractName } from '../../contracts/contracts.ts'
import type { Field } from '../../contracts/fields.ts'
import { toHttpRequest } from '../../service/http/http-request.ts'
import { isObject } from '../../records/json/json-values.ts'
import { describeShape, typeOf, type RecordShape } from '../describe-shape.ts'
import { describeSilence, listIds, type Examination, type Observation } from '../examination.ts'
import { toPlainWord } from '../find-records.ts'
import type { InterpretationName } from '../interpretations.ts'

/** The shapes of the records found, by endpoint. Endpoints without records have none. */
export function describeShapes(observations: readonly Observation[]): Map<EndpointName, RecordShape> {
  return new Map(
    observations.flatMap(({ endpoint, found }) => {
      const contract = contractOf(endpoint)
      const fields = contract?.fields ?? new Map()
      return found.records.length === 0 ? [] : [[endpoint.name, describeShape(found.records, fields)]]
    }),
  )
}

/** The contract of an endpoint; null if it has none or accepts any record. */
function contractOf({ contract }: Observation['endpoint']): Contract | null {
  const name: string | null = contract
  return name === null || name === 'raw' ? null : contracts[name as ContractName]
}

export async function checkValues(
  examination: Examination,
  shapes: ReadonlyMap<EndpointName, RecordShape>,
): Promise<void> {
  for (const observation of examination.selected) {
    const contract = contractOf(observation.endpoint)
    if (contract === null) continue
    const { name } = observation.endpoint
    const silence = describeSilence(observation)
    const shape = shapes.get(name)
    if (shape === undefined || silence !== null) {
      for (const each of general) examination.add(each, name, 'untold', silence ?? 'no record')
      continue
    }
    checkContract(examination, name, contract, observation.found.records)
    checkShape(examination, observation, shape)
    checkTimestamps(examination, observation, contract)
    checkCodeLengths(examination, observation, contract)
    checkVat(examination, observation, contract)
  }
  checkSpecials(examination, shapes)
  await checkMoney(examination)
}

const general: readonly InterpretationName[] = [
  'records-accepted',
  'types-as-documented',
  'fields-listed',
  'values-listed',
]

function checkContract(
  examination: Examination,
  name: EndpointName,
  { schema, fields }: Contract,
  records: readonly unknown[],
): void {
  const paths = new Set<string>()
  let rejected = 0
  for (const record of records) {
    const { error } = schema.safeParse(record)
    if (error === undefined) continue
    rejected++
    for (const { path } of error.issues) paths.add(describePath(record, path, fields))
  }
  if (rejected === 0) return examination.add('records-accepted', name, 'holds', `${records.length} records`)
  const detail = `${rejected} of ${records.length} records rejected: ${listSome([...paths])}`
  examination.add('records-accepted', name, 'differs', detail)
}

/** Describes a path as `weight (text)`. Keys of localized values become `*`, as they may be data. */
function describePath(record: unknown, path: readonly PropertyKey[], fields: Contract['fields']): string {
  let value = record
  let at: Field | undefined
  let shown = ''
  for (const step of path) {
    const known: Field | undefined = shown === '' ? fields.get(String(step)) : memberOf(at, String(step))
    if (Array.isArray(value)) shown += '[]'
    else shown += `${shown === '' ? '' : '.'}${at?.kind === 'localized' ? '*' : toPlainWord(String(step))}`
    at = known
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step]
  }
  const type = value === undefined ? 'missing' : typeOf(value)
  return shown === '' ? `the record (${type})` : `${shown} (${type})`
}

/** A single element delivered in place of a list has the members of an element. */
function memberOf(field: Field | undefined, step: string): Field | undefined {
  switch (field?.kind) {
    case 'object':
      return field.fields.get(step)
    case 'list':
      return /^\d+$/.test(step) ? field.element : memberOf(field.element, step)
    case 'localized':
      return field.element
    default:
      return undefined
  }
}

const most = 4

function listSome(parts: readonly string[]): string {
  const more = parts.length > most ? `, and ${parts.length - most} more` : ''
  return `${parts.slice(0, most).join(', ')}${more}`
}

function checkShape(examination: Examination, { endpoint }: Observation, shape: RecordShape): void {
  const { name } = endpoint
  const isReference = isReferenceList(endpoint)
  if (isReference)
    addTypes(examination, 'names-of-lists', name, shape, 'name', ['text', 'number as text', 'object', 'empty list'])
  const others = [...shape.otherTypes].filter(([path]) => !isReference || path !== 'name')
  const types = others.map(([path, expected]) => `${path} (${listTypes(shape, path, expected)})`)
  addList(examination, 'types-as-documented', name, types, 'all as documented')
  const beyond = [...shape.beyond].map(([path, met]) => `${path} (${[...met].join(', ')})`)
  addList(examination, 'fields-listed', name, beyond, 'no others')
  const values = [...shape.otherValues].map(([path, count]) => `${path} (${count})`)
  addList(examination, 'values-listed', name, values, 'no others')
}

/** Brands, organizations, categories and the like: records here, but parts of a product there. */
function isReferenceList({ contract }: Observation['endpoint']): boolean {
  return contract !== null && !/product$|media$|news-item$|correction$/.test(contract)
}

function listTypes({ types }: RecordShape, path: string, expected: readonly string[]): string {
  return [...(types.get(path)?.keys() ?? [])].filter((type) => !expected.includes(type)).join(', ')
}

function addList(
  examination: Examination,
  interpretation: InterpretationName,
  name: EndpointName,
  differences: readonly string[],
  none: string,
): void {
  const holds = differences.length === 0
  examination.judge(interpretation, name, holds, holds ? none : listSome(differences))
}

/** The years 1980 and 2200 in seconds. Today's times in milliseconds are far beyond. */
const [earliest, latest] = [315_532_800, 7_258_118_400]

function checkTimestamps(examination: Examination, { endpoint, found }: Observation, contract: Contract): void {
  const times = listTimestamps(found.records, contract)
  if (times.length === 0) return
  const wrong = times.filter((time) => time < earliest || time > latest).length
  const detail = wrong === 0 ? `${times.length} of them` : `${wrong} of ${times.length} are not`
  examination.judge('timestamps-in-seconds', endpoint.name, wrong === 0, detail)
}

/** `meta.createdAt` and `meta.updatedAt`, the times that all records with times have. */
function listTimestamps(records: readonly unknown[], { fields }: Contract): number[] {
  if (!fields.has('meta')) return []
  return records.flatMap((record) => {
    const meta = isObject(record) ? record['meta'] : null
    return isObject(meta) ? [meta['createdAt'], meta['updatedAt']].flatMap(toNumber) : []
  })
}

function toNumber(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? [Number(value)] : []
}

function checkCodeLengths(examination: Examination, { endpoint, found }: Observation, { fields }: Contract): void {
  let codes = 0
  const odd = new Map<string, number>()
  for (const record of found.records.filter(isObject)) {
    for (const [path, field] of fields) {
      const value = record[path]
      if (field.kind !== 'scalar' || field.length === undefined || !isCode(value)) continue
      codes++
      if (!/^\d+$/.test(String(value)) || String(value).length > field.length) odd.set(path, (odd.get(path) ?? 0) + 1)
    }
  }
  if (codes === 0) return
  const shown = [...odd].map(([path, count]) => `${path} (${count})`)
  addList(examination, 'code-lengths', endpoint.name, shown, `${codes} codes`)
}

function isCode(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

const highestRate = 100

function checkVat(examination: Examination, { endpoint, found }: Observation, { fields }: Contract): void {
  if (!fields.has('vat')) return
  const rates = found.records
    .filter(isObject)
    .flatMap(({ vat }) => (vat === null || vat === undefined ? [] : [Number(vat)]))
  const high = rates.filter((rate) => rate > highestRate).length
  if (rates.length === 0) return examination.add('vat-in-percent', endpoint.name, 'untold', 'no rate came')
  const detail = high === 0 ? `${rates.length} rates` : `${high} of ${rates.length} rates are above ${highestRate}`
  examination.judge('vat-in-percent', endpoint.name, high === 0, detail)
}

function checkSpecials(examination: Examination, shapes: ReadonlyMap<EndpointName, RecordShape>): void {
  for (const observation of examination.selected) {
    const { endpoint, found } = observation
    const shape = shapes.get(endpoint.name)
    if (shape === undefined) continue
    if (endpoint.contract === 'v3/product')
      addTypes(examination, 'v3-id-text', endpoint.name, shape, 'id', ['text', 'number as text'])
    for (const path of ['formats', 'photos[].formats', 'frontals[].formats'])
      if (shape.types.has(path))
        addTypes(examination, 'formats-by-size', endpoint.name, shape, path, ['object', 'empty list'])
    if (endpoint.contract === 'v4/product') checkDeletions(examination, endpoint.name, found.records)
    if (endpoint.name === 'v4/users/query') checkUsers(examination, found.records)
  }
}

function addTypes(
  examination: Examination,
  interpretation: InterpretationName,
  name: EndpointName,
  shape: RecordShape,
  path: string,
  expected: readonly string[],
): void {
  const types = [...(shape.types.get(path)?.keys() ?? [])]
  if (types.length === 0) return
  const holds = types.every((type) => expected.includes(type))
  examination.judge(interpretation, name, holds, `${path}: ${types.join(', ')}`)
}

const hour = 3600
const day = 86_400

function checkDeletions(examination: Examination, name: EndpointName, records: readonly unknown[]): void {
  const dates = records.flatMap((record) => (isObject(record) ? toNumber(record['officialDeletionAt']) : []))
  if (dates.length === 0) return examination.add('deletion-at-midnight', name, 'untold', 'no date came')
  const isUtc = dates.every((date) => date % day === 0)
  const isLocal = dates.every((date) => date % hour === 0 && date % day >= day / 2)
  const detail = `${dates.length} dates`
  if (isUtc) examination.add('deletion-at-midnight', name, 'differs', `${detail}, all at midnight UTC`)
  else if (isLocal)
    examination.add('deletion-at-midnight', name, 'holds', `${detail}, at full hours before midnight UTC`)
  else examination.add('deletion-at-midnight', name, 'untold', `${detail}, at other hours`)
}

function checkUsers(examination: Examination, records: readonly unknown[]): void {
  const name = 'v4/users/query'
  if (records.length === 0) return
  const known = records.filter((record) => isObject(record) && typeof record['email'] === 'string').length
  const detail = `${known} of ${records.length} users have it`
  examination.judge('users-have-email', name, known === records.length, detail)
}

const prices = ['publicPrice', 'pharmacistPrice', 'refundValueWithOmnio', 'refundValueWithoutOmnio'] as const

/** Compares prices with those of the same products in v3, which the specification gives in cents. */
async function checkMoney(examination: Examination): Promise<void> {
  const [query, search] = ['v4/products/query', 'v3/products/search'] as const
  if (!examination.isSelected(query)) return
  const { found } = await examination.observe(query)
  const priced = found.records.filter(isObject).filter((record) => prices.some((price) => isPrice(record[price])))
  const ids = listIds({ ...found, records: priced })
  if (ids.length === 0) return examination.add('money-in-cents', query, 'untold', 'no product with a price')
  const request = toHttpRequest(endpoints[search], { filter: { id: ids }, sorting: null }, { no: 0, size: 10 })
  const asked = await examination.ask(search, request)
  const pairs = priced.flatMap((record) => pairPrices(record, asked.found.records.filter(isObject)))
  if (pairs.length === 0) {
    const silence = describeSilence(asked) ?? 'v3 has none of these products'
    return examination.add('money-in-cents', query, 'untold', silence)
  }
  const equal = pairs.filter(([v4, v3]) => v4 === v3).length
  const inUnits = pairs.filter(([v4, v3]) => v4 !== v3 && Math.abs(v4 * 100 - v3) < 100).length
  const detail = `${equal} of ${pairs.length} prices are the same in v3`
  if (inUnits > equal)
    examination.add(
      'money-in-cents',
      query,
      'differs',
      `${inUnits} of ${pairs.length} prices are a hundredth of those in v3`,
    )
  else examination.add('money-in-cents', query, equal > pairs.length / 2 ? 'holds' : 'untold', detail)
}

function pairPrices(record: Record<string, unknown>, others: readonly Record<string, unknown>[]): [number, number][] {
  const other = others.find(({ id }) => String(id) === String(record['id']))
  return prices.flatMap((price): [number, number][] => {
    const [v4, v3] = [record[price], other?.[price]]
    return isPrice(v4) && isPrice(v3) ? [[Number(v4), Number(v3)]] : []
  })
}

function isPrice(value: unknown): boolean {
  return toNumber(value).some((price) => price > 0)
}
