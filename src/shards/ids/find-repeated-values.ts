import { readIdEntries, toEntryWords, toIdText } from '../../records/id-entries.ts'
import { idLength, idLine } from '../../records/id-layout.ts'
import { type BrokenRow, cutValue, mostListed } from '../../kernel/rules/broken-rows.ts'
import type { RepeatedValues } from '../../kernel/rules/judge-rules.ts'
import { toRowKey, type UniqueColumn } from '../../kernel/rules/list-unique.ts'
import type { ExtentReader } from './extent-file.ts'
import { findRepeated, type FindRepeatedOptions } from './find-repeated.ts'
import { findIds } from './id-file.ts'

export interface UniqueReaders extends Pick<UniqueColumn, 'rule' | 'isId'> {
  readonly values: readonly ExtentReader[]
  readonly key: readonly (readonly ExtentReader[])[]
}

export interface FoundRepeats extends RepeatedValues {
  readonly rows: readonly BrokenRow[]
}

type Options = Pick<FindRepeatedOptions, 'buckets' | 'signal'>

/** Finds the repeated values of each column over all shards. */
export async function findRepeatedValues(columns: readonly UniqueReaders[], options: Options): Promise<FoundRepeats[]> {
  const found: FoundRepeats[] = []
  for (const column of columns) found.push(await findInColumn(column, options))
  return found
}

async function findInColumn({ rule, isId, values, key }: UniqueReaders, options: Options): Promise<FoundRepeats> {
  let found: PlacedValue[] = []
  const count = await findRepeated(values, {
    ...options,
    counts: 'first',
    onRepeats: async (file, words, places) => {
      for (const at of places) {
        found.push({ place: placeOf(file, words, at), text: readText(words, at + 1) })
        if (found.length === 2 * mostListed) found = takeFirst(found)
      }
    },
  })
  const placed = takeFirst(found)
  const texts: (readonly (string | null)[])[] = []
  for (const files of placed.length > 0 ? key : []) texts.push(await readTexts(files, placed, options))
  const rows = placed.map(({ text }, at): BrokenRow => {
    const ofRow = texts.map((column) => column[at] ?? null)
    return { rule, ...toRowKey(isId, text, ofRow), value: cutValue(toByteText(text)) }
  })
  const [first] = placed
  return { count, first: first === undefined ? null : toByteText(first.text), rows }
}

interface PlacedValue {
  readonly place: readonly number[]
  readonly text: string
}

/** `at`: the place of an entry with its block; see `findIds`. */
function placeOf(file: number, words: Uint32Array, at: number): number[] {
  return [file, words[at] as number, words[at + 1 + idLine] as number]
}

function takeFirst(values: readonly PlacedValue[]): PlacedValue[] {
  return values.toSorted((one, other) => comparePlaces(one.place, other.place)).slice(0, mostListed)
}

function comparePlaces(one: readonly number[], other: readonly number[]): number {
  const differing = one.findIndex((number, at) => number !== other[at])
  return differing < 0 ? 0 : (one[differing] as number) - (other[differing] as number)
}

async function readTexts(
  files: readonly ExtentReader[],
  rows: readonly PlacedValue[],
  { buckets }: Options,
): Promise<(string | null)[]> {
  const asked = new Map(rows.map(({ place }, at) => [place.join(' '), at]))
  const texts = rows.map((): string | null => null)
  for (const number of new Set(rows.map(({ place }) => place[0] as number))) {
    const file = files[number]
    for (const stretch of file?.listStretches({ from: 0, until: buckets }) ?? []) {
      const words = (await file?.read(stretch)) ?? new Uint32Array()
      for (const at of findIds(words)) {
        const row = asked.get(placeOf(number, words, at).join(' '))
        if (row !== undefined) texts[row] = readText(words, at + 1)
      }
    }
  }
  return texts
}

function readText(words: Uint32Array, at: number): string {
  const [entry] = readIdEntries(words.subarray(at, at + toEntryWords(words[at + idLength] as number)))
  return entry === undefined ? '' : toIdText(entry.bytes)
}

function toByteText(text: string): string {
  return Buffer.from(text).toString('latin1')
}
