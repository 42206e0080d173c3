import * as fc from 'fast-check'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { toFileKey } from '../../src/media/choose-files.ts'
import { isFileName, toFileName } from '../../src/media/file-name.ts'
import { KeyIndex } from '../../src/media/key-index.ts'
import { KnownFiles, type KnownFile } from '../../src/media/known-files.ts'
import { redactAddress } from '../../src/media/media-entry.ts'
import { cases } from '../depth.ts'

const folder = await mkdtemp(join(tmpdir(), 'known-'))
const [previous, journal] = [join(folder, 'previous.ndjson'), join(folder, 'journal.ndjson')]
afterAll(() => rm(folder, { recursive: true }))

const stored = {
  file: '1-large-0123456789ab.jpg',
  sha256: '0123456789ab',
  bytes: 5,
  contentType: 'image/jpeg',
  width: 1,
  height: 2,
  url: 'https://images.example.com/1.jpg',
  etag: null,
  lastModified: null,
}
const done: KnownFile = { state: 'done', at: 1, stored, reason: null, detail: null, part: 'a-0.part' }

test('KeyIndex maps keys to numbers like a Map', () => {
  const operations = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat(2 ** 40)), { maxLength: 3000 })
  fc.assert(
    fc.property(operations, (pairs) => {
      const [index, map] = [new KeyIndex(), new Map<string, number>()]
      for (const [key, number] of pairs) {
        index.set(key, number)
        map.set(key, number)
      }
      expect(index.size).toBe(map.size)
      for (const [key, number] of map) expect(index.get(key)).toBe(number)
      expect(index.get('another key')).toBeNull()
    }),
    { numRuns: cases(200, 20) },
  )
})

describe('KnownFiles', () => {
  test('prefers the journal to the earlier manifest, also after it is opened again', async () => {
    const entry = { record: 'M1', id: '1', format: 'large', locale: null, status: 'current', ...stored }
    await writeFile(previous, `${JSON.stringify(entry)}\n${JSON.stringify({ ...entry, id: '2' })}\n`)
    const first = await KnownFiles.open(previous, journal)
    expect(first.get(toFileKey(entry))).toMatchObject({ state: 'known', stored })
    first.add(toFileKey(entry), done)
    first.close()
    const second = await KnownFiles.open(previous, journal)
    expect(second.get(toFileKey(entry))).toMatchObject(done)
    expect(second.get(toFileKey({ ...entry, id: '2' }))).toMatchObject({ state: 'known' })
    expect(second.get('none')).toBeNull()
    second.close()
  })

  test('cuts off an incomplete last line of a journal, as a kill leaves it', async () => {
    await appendFile(journal, '{"key":"x","state":"do')
    const known = await KnownFiles.open(previous, journal)
    known.add('y', { ...done, detail: 'é'.repeat(5000) })
    expect(known.get('y')).toMatchObject({ state: 'done', detail: 'é'.repeat(5000) })
    known.close()
    const again = await KnownFiles.open(previous, journal)
    expect([again.get('x'), again.get('y')?.state]).toEqual([null, 'done'])
    again.close()
  })

  test('ignores invalid lines and names with a path', async () => {
    const entry = { record: 'M1', id: '3', format: 'large', locale: null, status: 'current', ...stored }
    await writeFile(previous, `nothing\n{}\n${JSON.stringify({ ...entry, file: '../x-large-0123456789ab.jpg' })}\n`)
    const known = await KnownFiles.open(previous, join(folder, 'other.ndjson'))
    expect(known.get(toFileKey(entry))?.stored ?? null).toBeNull()
    known.close()
  })
})

test('toFileName makes a valid name of any id, and different names for different ids', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom('..', '/', '../../etc/passwd', 'a\0b'),
  )
  const content = { sha256: '0123456789abcdef', extension: 'jpg' }
  fc.assert(
    fc.property(text, text, (id, other) => {
      const name = toFileName({ id, format: 'large', locale: null }, content)
      expect(isFileName(name)).toBe(true)
      const same = toFileName({ id: other, format: 'large', locale: null }, content)
      expect(same === name).toBe(id === other)
    }),
    { numRuns: cases(5000, 500) },
  )
})

test.each([
  ['https://u:p@images.example.com/a.jpg?X-Signature=abc#x', 'https://images.example.com/a.jpg'],
  ['no url?token=abc', 'no url'],
])('the address %s is kept as %s', (address, kept) => expect(redactAddress(address)).toBe(kept))
