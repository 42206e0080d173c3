import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createObjectReader } from '../../src/storage/s3/create-object-reader.ts'
import { findFiles, toPattern } from '../../src/sources/find-files.ts'

const objects = createObjectReader({})
const folder = await mkdtemp(join(tmpdir(), 'find-files-'))
afterAll(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'sub', 'deep.ndjson'), { recursive: true })
const names = ['b.ndjson', 'a.ndjson', 'a.ndjson.gz', 'part-10.ndjson', 'part-2.ndjson', 'x[1].ndjson', 'sub/c.ndjson']
for (const name of names) await writeFile(join(folder, name), '')
await symlink(join(folder, 'a.ndjson'), join(folder, 'sub', 'link.ndjson'))

describe('the files of a source', () => {
  test.each([
    { entries: ['b.ndjson', 'a.ndjson'], found: ['b.ndjson', 'a.ndjson'] },
    { entries: ['*.ndjson'], found: ['a.ndjson', 'b.ndjson', 'part-10.ndjson', 'part-2.ndjson', 'x[1].ndjson'] },
    { entries: ['b.ndjson', '?.ndjson'], found: ['b.ndjson', 'a.ndjson'] },
    { entries: ['a.{ndjson,ndjson.gz,json}'], found: ['a.ndjson', 'a.ndjson.gz'] },
    { entries: ['**/*.ndjson', '*.gz'], found: [...sorted('**'), 'a.ndjson.gz'] },
    { entries: ['a.ndjson', 'sub/../a.ndjson', './a.ndjson'], found: ['a.ndjson'] },
    { entries: ['x[1].ndjson'], found: ['x[1].ndjson'] },
    { entries: ['part-{2,10}.ndjson'], found: ['part-10.ndjson', 'part-2.ndjson'] },
  ])('the files of a source $entries are $found, in this order', async ({ entries, found }) => {
    const files = await findFiles(
      entries.map((entry) => `${folder}/${entry}`),
      objects,
    )
    expect(files.map((file) => relative(folder, file))).toEqual(found)
  })

  test('the files of a source have absolute names where the pattern is absolute, wherever the run starts', async () => {
    expect(await findFiles([`${folder}/?.ndjson`], objects)).toEqual([
      join(folder, 'a.ndjson'),
      join(folder, 'b.ndjson'),
    ])
  })

  test('the files of a source have relative names where the pattern is relative', async () => {
    const files = await findFiles([relative(process.cwd(), join(folder, '?.ndjson'))], objects)
    expect(files.every((file) => file.startsWith('..'))).toBe(true)
    expect(files).toHaveLength(2)
  })

  test('the files of a source are standard input where that is named', async () => {
    expect(await findFiles(['-', `${folder}/a.ndjson`], objects)).toEqual(['-', join(folder, 'a.ndjson')])
  })

  test.each([
    ['missing.ndjson', 'expected a file, got nothing there'],
    ['a.ndjson/below.ndjson', 'expected a file, got nothing there'],
    ['*.parquet', 'expected files that match, got none'],
    ['missing/*.ndjson', 'expected files that match, got none'],
    ['sub', `expected a file, got a folder (use ${folder}/sub/*.ndjson)`],
  ])('the files of a source must be there: %s', async (entry, message) => {
    await expect(findFiles([`${folder}/a.ndjson`, `${folder}/${entry}`], objects)).rejects.toMatchObject({
      code: 'SOURCE_NOT_FOUND',
      message: `${folder}/${entry}: ${message}`,
    })
  })
})

/** Folders are none of them; links to files are. */
function sorted(_everywhere: '**'): string[] {
  const below = ['sub/c.ndjson', 'sub/link.ndjson']
  return [...names.filter((name) => /^[^/]+\.ndjson$/.test(name)), ...below].toSorted()
}

test('a pattern of Windows may have backslashes between folders; elsewhere they keep a character from being special', () => {
  expect(toPattern('C:\\data\\2026-*\\*.ndjson', 'win32')).toBe('C:/data/2026-*/*.ndjson')
  expect(toPattern('\\\\server\\share\\*.gz', 'win32')).toBe('//server/share/*.gz')
  expect(toPattern('data/\\[1\\].*', 'linux')).toBe('data/\\[1\\].*')
})
