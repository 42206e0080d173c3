import { readIdEntries, toEntryWords, toIdText } from '../../records/id-entries.ts'
import { idLength, idLine } from '../../records/id-layout.ts'
import type { RepeatedValues } from '../../rules/judge-rules.ts'
import type { ExtentReader } from './extent-file.ts'
import { findRepeated, type FindRepeatedOptions } from './find-repeated.ts'

/** The repeated values of each column over all shards, from their files in the order of the shards. */
export async function findRepeatedValues(
  columns: readonly (readonly ExtentReader[])[],
  options: Pick<FindRepeatedOptions, 'buckets' | 'signal'>,
): Promise<RepeatedValues[]> {
  const found: RepeatedValues[] = []
  for (const files of columns) found.push(await findInColumn(files, options))
  return found
}

async function findInColumn(
  files: readonly ExtentReader[],
  options: Pick<FindRepeatedOptions, 'buckets' | 'signal'>,
): Promise<RepeatedValues> {
  let first: PlacedValue | null = null
  const count = await findRepeated(files, {
    ...options,
    counts: 'first',
    onRepeats: async (file, words, places) => {
      for (const at of places) {
        const place = [file, words[at] as number, words[at + 1 + idLine] as number]
        if (first === null || comparePlaces(place, first.place) < 0) first = { place, text: readText(words, at + 1) }
      }
    },
  })
  return { count, first: toFirst(first) }
}

/** A value with the number of its file, of its block and of its row. */
interface PlacedValue {
  readonly place: readonly number[]
  readonly text: string
}

/** Assignments in callbacks are not seen where the value is used. */
function toFirst(value: PlacedValue | null): string | null {
  return value?.text ?? null
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  const differing = one.findIndex((number, at) => number !== other[at])
  return differing < 0 ? 0 : (one[differing] as number) - (other[differing] as number)
}

/** The byte string of an entry's text. */
function readText(words: Uint32Array, at: number): string {
  const [entry] = readIdEntries(words.subarray(at, at + toEntryWords(words[at + idLength] as number)))
  return entry === undefined ? '' : Buffer.from(toIdText(entry.bytes)).toString('latin1')
}
