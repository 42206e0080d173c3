import { countOf } from '../../text/format-count.ts'
import type { Digest, DigestEntry, EntryKind } from './digest-schema.ts'

export interface BrandGroup {
  readonly brand: string
  readonly sections: readonly { readonly title: string; readonly entries: readonly DigestEntry[] }[]
}

/** What the kinds of entries are called, in the order of a digest. */
export const kindTitles: Readonly<Record<EntryKind, string>> = {
  up: 'Price up',
  down: 'Price down',
  priced: 'Now with a price',
  unpriced: 'No price any more',
  new: 'New',
  back: 'Active again',
  gone: 'Withdrawn: no longer there',
  withdrawn: 'Withdrawn: no longer active',
  replaced: 'Replaced',
}

/** The first entries by brand and kind, at most so many: a mail is cut beyond a size. */
export function groupEntries(
  { entries }: Digest,
  most: number,
): { readonly groups: readonly BrandGroup[]; readonly left: number } {
  const shown = entries.slice(0, most)
  const groups = groupBy(shown, ({ brand }) => brand).map(([brand, own]) => ({
    brand: brand ?? 'Without a brand',
    sections: groupBy(own, ({ kind }) => kind).map(([kind, each]) => ({ title: kindTitles[kind], entries: each })),
  }))
  return { groups, left: entries.length - shown.length }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, Item[]][] {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return [...groups]
}

/** `3 prices up, 1 price down, 2 new` */
export function summarize({ counts, entries }: Digest): string {
  if (entries.length === 0) return 'Nothing changed.'
  const { up, down, priced, unpriced, back, replaced } = counts
  const parts: [number, string][] = [
    [up, `${countOf(up, 'price')} up`],
    [down, `${countOf(down, 'price')} down`],
    [priced, `${priced} now with a price`],
    [unpriced, `${unpriced} without a price`],
    [counts.new, `${counts.new} new`],
    [back, `${back} active again`],
    [counts.gone + counts.withdrawn, `${counts.gone + counts.withdrawn} withdrawn`],
    [replaced, `${replaced} replaced`],
  ]
  return `${parts.flatMap(([count, text]) => (count === 0 ? [] : [text])).join(', ')}.`
}

export function describeSpan({ since, until }: Digest): string {
  return `From ${showTime(since)} until ${showTime(until)}`
}

function showTime(time: string | null): string {
  return time === null ? 'an unknown time' : `${time.slice(0, 16).replace('T', ' ')} UTC`
}

export function describeUnits({ units }: Digest): string | null {
  return units === 'delivered' ? 'Prices are whole numbers, as they were delivered.' : null
}

/** What happened, in one cell: `8.20 → 7.90 (-3.66 %)`, `replaced by M0002 (Name)`. */
export function describeEntry({ price, successor, status, kind }: DigestEntry, several: boolean): string {
  if (price !== null) {
    const change = price.amount === null ? '' : ` (${withSign(price.amount)}, ${withSign(price.percent ?? '')} %)`
    const name = several ? `${price.column}: ` : ''
    return `${name}${price.old ?? 'none'} → ${price.new ?? 'none'}${change}`
  }
  if (successor !== null) {
    const shown = [successor.code, successor.name].filter((each) => each !== null)
    return shown.length === 0 ? successor.text : `${successor.text} (${shown.join(', ')})`
  }
  if (kind === 'replaced') return 'replaced'
  return kind === 'withdrawn' && status !== null ? status : ''
}

function withSign(number: string): string {
  return number.startsWith('-') ? number : `+${number}`
}

export function hasSeveralPrices({ entries }: Digest): boolean {
  return new Set(entries.flatMap(({ price }) => price?.column ?? [])).size > 1
}
