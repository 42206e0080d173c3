import { terms, words, type FilterKey } from './filter-keys.ts'
import { byNumber, byText, type SortKey } from './sort-keys.ts'
import { numberOf } from './record-values.ts'

/** What the lists know whose filters are not shown, and active ingredients. */
export const listKeys: Readonly<Record<string, FilterKey>> = {
  id: terms((record) => record['id']),
  search: words((record) => record['name']),
}

/** By whole-number ids. */
export const integerListSortings: Readonly<Record<string, SortKey>> = {
  id: byNumber((record) => numberOf(record['id'])),
}

/** By ids that are codes. */
export const codeListSortings: Readonly<Record<string, SortKey>> = { id: byText((record) => record['id']) }
