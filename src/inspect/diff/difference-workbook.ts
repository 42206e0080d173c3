import { Workbook } from '../../engine/outputs/workbook/write-workbook.ts'
import type { Cell, Column, Row } from '../../records/flatten/column.ts'
import type { ColumnType } from '../../types/column-types.ts'
import { compileConversion } from '../../types/column-types.ts'
import type { DifferenceFacts, DifferenceFile, FoundDifference } from './difference-file.ts'
import { type DifferenceGroup, differenceGroups } from './difference-group.ts'
import { comparePrices, isAmount } from './price-change.ts'

/** Differences in a sheet for each group. Codes and values are text, prices are numbers. */
export class DifferenceWorkbook implements DifferenceFile {
  readonly path: string
  readonly isForPeople = true
  rows = 0
  #workbook: Workbook | null = null
  #toPrice: (text: string | null) => Cell = () => null

  constructor(path: string) {
    this.path = path
  }

  async begin({ with: names, priceScale }: DifferenceFacts): Promise<void> {
    const price: ColumnType = { kind: 'decimal', precision: 38, scale: priceScale }
    this.#toPrice = compileNumber(price)
    const columnsOf = (group: DifferenceGroup): Column[] => [
      ...['id', ...names].map((name) => toColumn(name, { kind: 'text' })),
      ...listOwn(group, price),
    ]
    const sheets = differenceGroups.map((group) => ({ name: group, columns: columnsOf(group) }))
    this.#workbook = await Workbook.open(this.path, sheets)
  }

  add(found: FoundDifference): Promise<void> | undefined {
    this.rows += 1
    const { difference, with: values } = found
    const group = sheetOf(found)
    const row = [difference.id, ...values, ...this.#toCells(group, found)]
    return this.#workbook?.add(differenceGroups.indexOf(group), row)
  }

  async finish(): Promise<void> {
    await this.#workbook?.finish()
  }

  async discard(): Promise<void> {
    await this.#workbook?.discard()
  }

  #toCells(group: DifferenceGroup, { difference }: FoundDifference): Row {
    const { field, element, old, new: next } = difference
    if (group === 'new' || group === 'gone') return []
    if (group !== 'prices') return [field, element, old, next]
    const change = comparePrices(old, next)
    return [
      field,
      this.#toPrice(old),
      this.#toPrice(next),
      this.#toPrice(change?.amount ?? null),
      toPercent(change?.percent ?? null),
      change === null ? null : described[change.direction],
    ]
  }
}

const described = { up: 'up', down: 'down', came: 'new price', went: 'no price any more' } as const

/** An amount that is no number, as of a line that breaks its contract, can't be a number in a sheet. */
function sheetOf({ group, difference }: FoundDifference): DifferenceGroup {
  return group === 'prices' && !(isAmount(difference.old) && isAmount(difference.new)) ? 'others' : group
}

function listOwn(group: DifferenceGroup, price: ColumnType): Column[] {
  const texts = (...names: string[]) => names.map((name) => toColumn(name, { kind: 'text' }))
  if (group === 'new' || group === 'gone') return []
  if (group !== 'prices') return texts('field', 'element', 'old', 'new')
  const amounts = ['old', 'new', 'amount'].map((name) => toColumn(name, price))
  return [...texts('field'), ...amounts, toColumn('percent', percentType), ...texts('change')]
}

function toColumn(name: string, type: ColumnType): Column {
  return { name, type, list: false }
}

const percentType: ColumnType = { kind: 'decimal', precision: 38, scale: 2 }
const toPercent = compileNumber(percentType)

function compileNumber(type: ColumnType): (text: string | null) => Cell {
  const convert = compileConversion('text', type, 0)
  return (text) => (text === null ? null : (convert(text) ?? null))
}
