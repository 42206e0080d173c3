import { array, assert, asyncProperty, constantFrom } from 'fast-check'
import { expect, it, test } from 'vitest'
import { IdWriter } from '../../../src/records/id-entries.ts'
import { idLine } from '../../../src/records/id-layout.ts'
import { ExtentReader } from '../../../src/shards/ids/extent-file.ts'
import { findRepeated, type FindRepeatedOptions } from '../../../src/shards/ids/find-repeated.ts'
import { IdFileWriter } from '../../../src/shards/ids/id-file.ts'
import { cases } from '../../depth.ts'
import { MemoryFile } from './memory-file.ts'
import { oddIds } from './odd-ids.ts'

/** The ids of a file by block. */
type FileIds = readonly (readonly string[])[]

const signal = new AbortController().signal

async function openIds(blocks: FileIds, buckets: number): Promise<ExtentReader> {
  const file = new MemoryFile()
  const writer = new IdFileWriter(buckets, file.write)
  for (const [block, ids] of blocks.entries()) {
    const entries = new IdWriter()
    for (const [line, id] of ids.entries()) entries.add(id, line)
    await writer.add(block, entries.finish())
  }
  await writer.finish()
  return ExtentReader.open('ids.bin', file.bytes.length, file)
}

/** File, block and line of each line that repeats an id, in order. */
async function find(files: readonly FileIds[], options: Pick<FindRepeatedOptions, 'buckets' | 'counts' | 'mostWords'>) {
  const readers = await Promise.all(files.map((blocks) => openIds(blocks, options.buckets)))
  const found: string[] = []
  const onRepeats = async (file: number, words: Uint32Array, places: readonly number[]): Promise<void> => {
    for (const at of places) found.push(`${file} ${words[at]} ${words[at + 1 + idLine]}`)
  }
  const count = await findRepeated(readers, { ...options, signal, onRepeats })
  expect(found).toHaveLength(count)
  return found.toSorted()
}

function findWithSet(files: readonly FileIds[], counts: 'first' | 'last'): string[] {
  const lines = files.flatMap((blocks, file) =>
    blocks.flatMap((ids, block) => ids.map((id, line) => ({ id, place: `${file} ${block} ${line}` }))),
  )
  const seen = new Set<string>()
  const inOrder = counts === 'first' ? lines : lines.toReversed()
  return inOrder.flatMap(({ id, place }) => (seen.size === seen.add(id).size ? [place] : [])).toSorted()
}

it('findRepeated finds the lines in several files whose id a set of strings has already', async () => {
  const files = array(array(array(oddIds, { maxLength: 30 }), { maxLength: 4 }), { maxLength: 5 })
  await assert(
    asyncProperty(
      files,
      constantFrom(1, 2, 16, 512),
      constantFrom('first' as const, 'last' as const),
      constantFrom(1, 200, 16_000_000),
      async (all, buckets, counts, mostWords) => {
        expect(await find(all, { buckets, counts, mostWords })).toEqual(findWithSet(all, counts))
      },
    ),
    { numRuns: cases(300, 40) },
  )
})

it.each(['first', 'last'] as const)(
  'findRepeated keeps the %s line of an id in files that are larger than what writers and readers hold',
  async (counts) => {
    const files = [[toLongIds(0, 1), toLongIds(7, 3)], [toLongIds(11, 2)]]
    expect(await find(files, { buckets: 8, counts })).toEqual(findWithSet(files, counts))
  },
)

function toLongIds(from: number, step: number): string[] {
  return Array.from({ length: cases(200_000, 20_000) }, (_, at) => `${from + at * step}`.padEnd(500, 'x'))
}

test('an aborted search for repeated ids ends as interrupted', async () => {
  const files = [await openIds([['A', 'A']], 1)]
  const options = { buckets: 1, counts: 'first', signal: AbortSignal.abort() } as const
  await expect(findRepeated(files, options)).rejects.toThrowError(expect.objectContaining({ code: 'INTERRUPTED' }))
})
