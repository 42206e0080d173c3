import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'

export type ServiceRecord = Readonly<Record<string, unknown>>

/** Every record of an endpoint, asked for and read without any code of the project. */
export async function readRecords(sandbox: Sandbox, endpoint: string): Promise<ServiceRecord[]> {
  if (/\/(?:stream|export)$/.test(endpoint))
    return readLines(await ask(sandbox, endpoint, { filter: {}, sorting: { id: 'ASC' } }))
  if (endpoint.endsWith('/all')) return toResults(JSON.parse(await ask(sandbox, endpoint)))
  const records: ServiceRecord[] = []
  for (let no = 0; ; no++) {
    const page = toResults(JSON.parse(await ask(sandbox, endpoint, { page: { no, size: 100 } })))
    records.push(...page)
    if (page.length < 100) return records
  }
}

async function ask({ baseUrl, keyId, keySecret }: Sandbox, endpoint: string, body?: object): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const post = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(`${baseUrl}/${endpoint}`, { headers, ...post })
  if (!answer.ok) throw new Error(`${endpoint}: expected an answer, got ${answer.status} ${await answer.text()}`)
  return answer.text()
}

function readLines(text: string): ServiceRecord[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => (JSON.parse(line) as { result: ServiceRecord }).result)
}

/** The records of a document: a bare list, or the only list among its members. */
function toResults(document: unknown): ServiceRecord[] {
  const list = Array.isArray(document) ? document : Object.values(document as object).find(Array.isArray)
  return list as ServiceRecord[]
}

/** The number of rows that a record has in a table of each element of a path, none for the record itself. */
export function countElements(record: unknown, names: readonly string[]): number {
  if (names.length === 0) return 1
  const [name = '', ...rest] = names
  const value = (record as ServiceRecord)[name] ?? []
  // A list of scalars keeps its nulls; of objects a null is no element. A single object stands for a list of one.
  const elements = Array.isArray(value) ? value : [value]
  const hasObjects = elements.some((element) => typeof element === 'object' && element !== null)
  const present = hasObjects ? elements.filter((element) => element !== null) : elements
  return present.reduce((sum: number, element) => sum + countElements(element, rest), 0)
}
