import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ReadReject, readRejects } from '../../../src/sources/rejects/read-rejects.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-rejects-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readLines(lines: readonly unknown[]) {
  const path = join(folder, 'rejects.ndjson')
  await writeFile(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  const read: ReadReject[] = []
  for await (const each of readRejects(path, { env: {}, signal: new AbortController().signal })) read.push(each)
  return read
}

const line = { source: 'in.ndjson', line: 7, issues: [{ code: 'invalid_json', path: '', message: 'm', at: 3 }] }

test('a line of a rejects file is read with all its members, also those that somebody has added', async () => {
  const own = { ...line, byteOffset: null, index: 1, id: null, sha256: 'x', raw: '{', note: 'ours' }
  const [text, base64] = await readLines([own, '', { ...line, rawBase64: 'ew==' }])
  expect(text).toMatchObject({ lineNumber: 1, problem: null, reject: own })
  expect(base64).toMatchObject({ lineNumber: 3, problem: null, reject: { rawBase64: 'ew==' } })
})

test('a line that is no reject says which member is missing or wrong', async () => {
  const raw = '{'
  const lines = [
    '[]',
    { ...line, raw, source: 5 },
    { ...line, raw, line: 0 },
    { ...line, raw, line: 1.5 },
    { ...line, raw, issues: [{ code: 'x', path: '' }] },
    { ...line, raw: null },
  ]
  const problems = (await readLines(lines)).map(({ problem }) => problem)
  expect(problems).toEqual([
    'expected one JSON object on the line, got none',
    'source: expected the file or endpoint that the line came from, got none',
    'line: expected the number of the line in its source, got none',
    'line: expected the number of the line in its source, got none',
    'issues: expected the reasons of the reject, got none',
    'raw: expected the line as text, got none',
  ])
})
