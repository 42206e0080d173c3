import { endpoints, type EndpointName } from '../../service/endpoints/endpoints.ts'
import { toHttpRequest } from '../../service/http/http-request.ts'
import { totalCap } from '../../sources/completeness.ts'
import { describeSilence, listIds, type Examination, type Observation } from '../examination.ts'

const askedSize = 10

/** Checks the form of pages, lists, streams and single records. */
export async function checkAnswers(examination: Examination): Promise<void> {
  for (const observation of examination.selected) {
    if (observation.endpoint.read === 'stream') checkStream(examination, observation)
    else if (observation.endpoint.read === 'find') checkFound(examination, observation)
    else if (observation.endpoint.read === 'list') checkList(examination, observation)
    else checkPage(examination, observation)
  }
  await checkPageNumbers(examination)
  await checkWithoutPage(examination)
  await checkNothing(examination)
}

function checkPage(examination: Examination, observation: Observation): void {
  const { endpoint, found } = observation
  const { name } = endpoint
  const { form, records, total } = found
  if (form.kind !== 'list') return addForm(examination, observation)
  const { member } = form
  if (records.length > 0 || member !== null)
    examination.judge('results-name', name, member === 'results', member === null ? 'a bare list' : `"${member}"`)
  examination.judge('total-stated', name, total !== null, total === null ? 'no total' : `a total of ${total}`)
  if (records.length > askedSize) examination.add('page-size', name, 'differs', `${records.length} records for 10`)
  else if (total !== null && total > records.length && records.length < askedSize)
    examination.add('page-size', name, 'differs', `${records.length} of ${total} records for 10`)
  else if (records.length === askedSize) examination.add('page-size', name, 'holds', '10 records')
  else examination.add('page-size', name, 'untold', `${records.length} records in all`)
  checkIds(examination, observation)
}

function checkIds(examination: Examination, { endpoint, found }: Observation): void {
  const { name } = endpoint
  const { records } = found
  const ids = listIds(found)
  if (records.length === 0) return examination.add('ids-unique', name, 'untold', 'no record')
  const [missing, repeated] = [records.length - ids.length, ids.length - new Set(ids).size]
  if (missing > 0) examination.add('ids-unique', name, 'differs', `${missing} of ${records.length} without an id`)
  else if (repeated > 0) examination.add('ids-unique', name, 'differs', `${repeated} of ${ids.length} ids repeated`)
  else examination.add('ids-unique', name, 'holds', `${ids.length} ids`)
  if (endpoint.sorting !== 'required' && missing === 0) checkOrder(examination, name, ids)
}

function checkOrder(examination: Examination, name: EndpointName, ids: readonly string[]): void {
  if (ids.length < 3) return examination.add('default-order', name, 'untold', `only ${ids.length} records`)
  const isAscending = ids.every((id, at) => at === 0 || isBefore(ids[at - 1] as string, id))
  examination.judge('default-order', name, isAscending, isAscending ? 'ids ascend' : 'ids do not ascend')
}

function isBefore(left: string, right: string): boolean {
  const isNumbers = /^\d+$/.test(left) && /^\d+$/.test(right)
  return isNumbers ? Number(left) <= Number(right) : left <= right
}

function addForm(examination: Examination, observation: Observation): void {
  const { endpoint, found } = observation
  const silence = describeSilence(observation) ?? `the form of a ${found.form.kind}`
  const isWrong = found.form.kind === 'other' && observation.answer?.kind === 'answer'
  examination.add('list-form', endpoint.name, isWrong ? 'differs' : 'untold', silence)
}

function checkList(examination: Examination, observation: Observation): void {
  const { endpoint, found } = observation
  const { name } = endpoint
  const { form, records, total } = found
  if (form.kind !== 'list') return addForm(examination, observation)
  examination.add('list-form', name, 'holds', form.member === null ? 'a bare list' : `an object with "${form.member}"`)
  if (total === null) examination.add('list-whole', name, 'untold', `${records.length} records, no total`)
  else examination.judge('list-whole', name, total === records.length, `${records.length} records of ${total}`)
}

function checkFound(examination: Examination, observation: Observation): void {
  const { endpoint, found } = observation
  const { form } = found
  const silence = describeSilence(observation)
  if (form.kind === 'record') {
    const isKnown = endpoint.wrappedIn === undefined || form.member === null || form.member === endpoint.wrappedIn
    const detail = form.member === null ? 'the record alone' : `under "${form.member}"`
    examination.judge('find-wrapped', endpoint.name, isKnown, detail)
  } else if (form.kind === 'other' && observation.answer?.kind === 'answer')
    examination.add('find-wrapped', endpoint.name, 'differs', silence ?? '')
  else examination.add('find-wrapped', endpoint.name, 'untold', silence ?? 'no record')
}

function checkStream(examination: Examination, observation: Observation): void {
  const { endpoint, found, askedIds } = observation
  const { name } = endpoint
  const { form, indexes, total } = found
  const silence = describeSilence(observation)
  if (form.kind === 'other' || form.kind === 'list') {
    const detail = form.kind === 'list' ? 'a document in place of lines' : (silence ?? '')
    return examination.add('stream-envelope', name, 'differs', detail)
  }
  if (form.kind !== 'lines') return examination.add('stream-envelope', name, 'untold', silence ?? 'no record')
  const inOrder = indexes.length > 0 && indexes.every((index, at) => index === at)
  if (!form.hasEnvelopes) examination.add('stream-envelope', name, 'differs', 'bare records')
  else if (!inOrder) examination.add('stream-envelope', name, 'differs', 'indexes that are missing or not 0, 1, 2')
  else if (total === null) examination.add('stream-envelope', name, 'differs', 'no total')
  else if (form.isWhole && askedIds.length > 0 && total !== indexes.length)
    examination.add('stream-envelope', name, 'differs', `a total of ${total} for ${indexes.length} lines`)
  else examination.add('stream-envelope', name, 'holds', `${indexes.length} lines`)
}

/** Compares the second page of products with the first. */
async function checkPageNumbers(examination: Examination): Promise<void> {
  const name = 'v4/products/query'
  if (!examination.isSelected(name)) return
  const first = await examination.observe(name)
  const { found } = first
  addCap(examination, name, found.total)
  const silence = describeSilence(first)
  const request = toHttpRequest(endpoints[name], { filter: {}, sorting: { id: 'ASC' } }, { no: 1, size: askedSize })
  const second = await examination.ask(name, request)
  const secondSilence = describeSilence(second)
  if (silence !== null && silence !== 'no record' && secondSilence === null)
    return examination.add('pages-from-zero', name, 'differs', `page 0: ${silence}; page 1 has records`)
  if (silence !== null) return examination.add('pages-from-zero', name, 'untold', silence)
  if (found.total !== null && found.total <= askedSize)
    return examination.add('pages-from-zero', name, 'untold', `only ${found.total} products`)
  if (secondSilence !== null) return examination.add('pages-from-zero', name, 'untold', `page 1: ${secondSilence}`)
  const wrong = describePages(found, second.found)
  examination.judge('pages-from-zero', name, wrong === null, wrong ?? 'pages 0 and 1 follow each other')
}

function addCap(examination: Examination, name: EndpointName, total: number | null): void {
  if (total === null || total < totalCap)
    return examination.add('total-capped', name, 'untold', total === null ? 'no total' : `only ${total} products`)
  examination.judge('total-capped', name, total === totalCap, `a total of ${total}`)
}

function describePages(first: Observation['found'], second: Observation['found']): string | null {
  const ids = new Set(listIds(first))
  const repeated = listIds(second).filter((id) => ids.has(id)).length
  if (repeated > 0) return `page 1 repeats ${repeated} records of page 0`
  if ((first.page?.offset ?? 0) !== 0) return `page 0 begins at record ${first.page?.offset}`
  const offset = second.page?.offset ?? askedSize
  return offset === askedSize ? null : `page 1 begins at record ${offset}`
}

const mostUnpaged = 1000

/** Asks without a page for the shortest list that does not fit on a page of 10. */
async function checkWithoutPage(examination: Examination): Promise<void> {
  const candidates = examination.selected
    .filter(({ endpoint: { read, page }, found }) => read === 'paged' && page === 'optional' && found.page !== null)
    .filter(({ endpoint: { contract } }) => contract !== 'v3/product')
    .flatMap(({ endpoint, found: { total } }) =>
      total !== null && total > askedSize && total <= mostUnpaged ? [{ endpoint, total }] : [],
    )
    .toSorted((left, right) => left.total - right.total)
  const [shortest] = candidates
  if (shortest === undefined) return
  const { endpoint, total } = shortest
  const asked = await examination.ask(endpoint.name, toHttpRequest(endpoint, { filter: null, sorting: null }))
  const silence = describeSilence(asked)
  const count = asked.found.records.length
  if (silence !== null) examination.add('everything-without-page', endpoint.name, 'untold', silence)
  else examination.judge('everything-without-page', endpoint.name, count === total, `${count} records of ${total}`)
}

async function checkNothing(examination: Examination): Promise<void> {
  const name = 'v4/products/stream'
  if (!examination.isSelected(name) || describeSilence(await examination.observe(name)) !== null) return
  const request = toHttpRequest(endpoints[name], { filter: { id: ['Z0'] }, sorting: { id: 'ASC' } })
  const { answer, found } = await examination.ask(name, request, 1)
  if (answer.kind === 'failure' || answer.status >= 300)
    return examination.add('nothing-is-204', name, 'untold', describeSilence({ answer, found }) ?? '')
  const is204 = answer.status === 204 && answer.body.kind === 'empty'
  const got = answer.body.kind === 'empty' ? 'nothing' : 'records or text'
  examination.judge('nothing-is-204', name, is204, is204 ? 'status 204' : `status ${answer.status} with ${got}`)
}
