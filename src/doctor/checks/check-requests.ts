import { endpoints, type EndpointName } from '../../service/endpoints/endpoints.ts'
import { toHttpRequest } from '../../service/http/http-request.ts'
import { isObject } from '../../records/json/json-values.ts'
import {
  describeSilence,
  isRefusedRequest,
  listIds,
  type AskedAnswer,
  type Examination,
  type Observation,
} from '../examination.ts'
import type { InterpretationName } from '../interpretations.ts'

/** Endpoints whose requests the specification shows. */
const documented: ReadonlySet<EndpointName> = new Set([
  'v4/products/query',
  'v4/updates/query',
  'v4/corrections/query',
  'v4/active-ingredients/query',
  'v3/products/search',
  'v3/products/export',
])

/** Checks whether each endpoint accepts the request that runs send. */
export function checkAcceptance(examination: Examination): void {
  for (const observation of examination.selected) {
    const { endpoint, answer } = observation
    const interpretation = toInterpretation(observation)
    const silence = describeSilence(observation)
    const other = silence === null ? describeOtherRecords(observation) : null
    if (isRefusedRequest(answer)) examination.add(interpretation, endpoint.name, 'differs', silence ?? 'refused')
    else if (other !== null) examination.add(interpretation, endpoint.name, 'differs', other)
    else if (silence === null || silence === 'no record')
      examination.add(interpretation, endpoint.name, 'holds', 'accepted')
    else examination.add(interpretation, endpoint.name, 'untold', silence)
  }
}

function toInterpretation({ endpoint: { name, read } }: Observation): InterpretationName {
  if (documented.has(name)) return 'documented-requests'
  if (name === 'v3/news-items/search') return 'news-search-post'
  if (name === 'v4/products/stream') return 'stream-like-query'
  if (name === 'v4/media/query' || name === 'v4/media/stream') return 'media-like-products'
  if (read === 'find') return 'find-by-id'
  return read === 'list' ? 'lists-without-parameters' : 'optional-members'
}

function describeOtherRecords({ found, askedIds }: Observation): string | null {
  if (askedIds.length === 0) return null
  const others = listIds(found).filter((id) => !askedIds.includes(id)).length
  return others === 0 ? null : `${others} of ${found.records.length} records were not asked for`
}

export async function checkMoreRequests(examination: Examination): Promise<void> {
  await checkUnknownId(examination)
  await checkV3WithoutPage(examination)
  await checkCombination(examination)
  await checkEmptyFilter(examination)
  await checkCodes(examination)
}

/** No product has this id: all ids seen so far are longer. */
const unknownId = 'Z0'

async function checkUnknownId(examination: Examination): Promise<void> {
  const name = 'v4/products/find'
  if (!examination.isSelected(name) || isSilent(await examination.observe(name))) return
  const { answer, found } = await examination.ask(
    name,
    toHttpRequest(endpoints[name], { filter: { id: unknownId }, sorting: null }),
  )
  if (answer.kind === 'answer' && answer.status === 404) examination.add('unknown-id-404', name, 'holds', 'status 404')
  else if (answer.kind === 'answer' && answer.status < 500 && answer.status !== 429)
    examination.add('unknown-id-404', name, 'differs', `status ${answer.status}`)
  else examination.add('unknown-id-404', name, 'untold', describeSilence({ answer, found }) ?? '')
  addErrorBody(examination, name, answer)
}

export function checkErrorBodies(examination: Examination): void {
  for (const { endpoint, answer } of examination.selected) addErrorBody(examination, endpoint.name, answer)
}

function addErrorBody(examination: Examination, name: EndpointName, answer: Observation['answer']): void {
  if (answer?.kind !== 'answer' || answer.status < 400) return
  const { body } = answer
  const error = body.kind === 'document' && isObject(body.value) ? body.value['error'] : undefined
  const isKnown = isObject(error) && ['status', 'code', 'message'].every((key) => Object.hasOwn(error, key))
  const got = body.kind === 'document' ? 'another document' : body.kind === 'empty' ? 'nothing' : 'no JSON'
  examination.judge('error-body', name, isKnown, isKnown ? 'as assumed' : `status ${answer.status} with ${got}`)
}

async function checkV3WithoutPage(examination: Examination): Promise<void> {
  const name = 'v3/products/search'
  if (!examination.isSelected(name)) return
  const [id] = listIds((await examination.observe(name)).found)
  if (id === undefined) return examination.add('v3-page-optional', name, 'untold', 'no id is known')
  const asked = await examination.ask(name, toHttpRequest(endpoints[name], { filter: { id: [id] }, sorting: null }))
  if (isRefusedRequest(asked.answer)) examination.add('v3-page-optional', name, 'differs', describeSilence(asked) ?? '')
  else addUnlessSilent(examination, 'v3-page-optional', name, asked, () => ['holds', 'accepted'])
}

const tomorrowMs = 86_400_000

async function checkCombination(examination: Examination): Promise<void> {
  const name = 'v4/products/query'
  if (!examination.isSelected(name)) return
  const [id] = listIds((await examination.observe(name)).found)
  if (id === undefined) return examination.add('filters-combine-and', name, 'untold', 'no id is known')
  const from = Math.floor((Date.now() + tomorrowMs) / 1000)
  const asked = await examination.ask(name, toProductRequest(name, { and: [{ id: [id] }, { createdAt: { from } }] }))
  const count = asked.found.records.length
  if (asked.found.form.kind === 'list' && count === 0)
    examination.add('filters-combine-and', name, 'holds', 'nothing came')
  else addUnlessSilent(examination, 'filters-combine-and', name, asked, () => ['differs', `${count} records came`])
}

function toProductRequest(name: 'v4/products/query', filter: Readonly<Record<string, unknown>>) {
  return toHttpRequest(endpoints[name], { filter, sorting: { id: 'ASC' } }, { no: 0, size: 10 })
}

/** Compares totals of whole streams, each read from its first line. */
async function checkEmptyFilter(examination: Examination): Promise<void> {
  const name = 'v4/products/stream'
  if (!examination.isSelected(name) || isSilent(await examination.observe(name))) return
  const ask = async (filter: Readonly<Record<string, unknown>>): Promise<AskedAnswer> =>
    examination.ask(name, toHttpRequest(endpoints[name], { filter, sorting: { id: 'ASC' } }), 1)
  const all = await ask({})
  const listed = await ask({ status: ['active', 'inactive', 'replaced'] })
  const [total, listedTotal] = [all.found.total, listed.found.total]
  if (total === null || listedTotal === null) {
    const silence = describeSilence(all) ?? describeSilence(listed) ?? 'no total is stated'
    examination.add('empty-filter', name, 'untold', silence)
    return examination.add('stream-counts-everything', name, 'untold', silence)
  }
  const detailOfBoth = `${total} products, with every status ${listedTotal}`
  const isTold = total !== cap || listedTotal !== cap
  examination.add('empty-filter', name, total < listedTotal ? 'differs' : isTold ? 'holds' : 'untold', detailOfBoth)
  const query = (await examination.observe('v4/products/query')).found.total
  if (total > cap) examination.add('stream-counts-everything', name, 'holds', `a total of ${total}`)
  else if (total === cap) examination.add('stream-counts-everything', name, 'differs', `a total of just ${total}`)
  else {
    const isLess = query !== null && total < query
    const detail = isLess ? `${total}, less than the ${query} of the query` : `only ${total} products`
    examination.add('stream-counts-everything', name, isLess ? 'differs' : 'untold', detail)
  }
}

const cap = 10_000

async function checkCodes(examination: Examination): Promise<void> {
  const name = 'v4/products/query'
  if (!examination.isSelected(name)) return
  const { found } = await examination.observe(name)
  const product = found.records.find((record) => isObject(record) && toEan(record) !== null)
  const ean = isObject(product) ? toEan(product) : null
  if (ean === null) return examination.add('codes-as-text', name, 'untold', 'no product with an EAN of 13 digits')
  const asked = await examination.ask(name, toProductRequest(name, { eanGtin13: [ean] }))
  const isFound = listIds(asked.found).includes(String((product as Record<string, unknown>)['id']))
  if (isFound) examination.add('codes-as-text', name, 'holds', 'found')
  else if (isRefusedRequest(asked.answer) || asked.found.form.kind === 'list')
    examination.add('codes-as-text', name, 'differs', describeSilence(asked) ?? 'another product came')
  else examination.add('codes-as-text', name, 'untold', describeSilence(asked) ?? '')
}

function toEan({ eanGtin13: code }: Record<string, unknown>): string | null {
  if (typeof code !== 'string' && typeof code !== 'number') return null
  const digits = String(code).padStart(13, '0')
  return /^\d{13}$/.test(digits) ? digits : null
}

function isSilent(observation: Observation): boolean {
  return describeSilence(observation) !== null
}

function addUnlessSilent(
  examination: Examination,
  interpretation: InterpretationName,
  name: EndpointName,
  asked: AskedAnswer,
  judge: () => ['holds' | 'differs', string],
): void {
  const silence = describeSilence(asked)
  const [verdict, detail] = silence === null ? judge() : (['untold', silence] as const)
  examination.add(interpretation, name, verdict, detail)
}
