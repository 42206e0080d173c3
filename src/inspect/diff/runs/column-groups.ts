import { contracts, isContractName } from '../../../contracts/contracts.ts'
import { parseColumnType } from '../../../types/column-types.ts'
import type { ReadableColumn } from '../../profile/readable-table.ts'
import { wholeRecord } from '../compare-records.ts'
import type { Difference } from '../diff-report.ts'
import { compileGroups, type DifferenceGroup } from '../difference-group.ts'
import type { ComparedTable } from './compare-tables.ts'
import type { TablePair } from './pair-tables.ts'

export type GroupOfColumn = (difference: Pick<Difference, 'field' | 'old'>) => DifferenceGroup

/** Groups the columns of a table by their unit, and by the fields that they come from. */
export function compileColumnGroups({ name, next, key }: ComparedTable, contract: string): GroupOfColumn {
  const groupOf = compileGroups(isContractName(contract) ? contracts[contract].fields : new Map())
  // The columns of a child table come from fields of its elements.
  const ofTable = key.isOfRecords ? 'others' : (childGroups.find(([part]) => part.test(name))?.[1] ?? 'others')
  const groups = new Map(
    next.columns.map((column): [string, DifferenceGroup] => {
      const own = key.isOfRecords ? groupOf(next.places.get(column.name) ?? '') : ofTable
      return [`${name}.${column.name}`, isAmount(column) ? 'prices' : own === 'prices' ? 'others' : own]
    }),
  )
  return ({ field, old }) => {
    if (field === `${name}.${wholeRecord}`) return key.isOfRecords ? (old === null ? 'new' : 'gone') : ofTable
    return groups.get(field) ?? ofTable
  }
}

const childGroups = [
  [/photo|frontal|image/i, 'images'],
  [/description|leaflet/i, 'texts'],
] as const

/** Most digits that an amount of the tables has after the point. */
export function findPriceScale(pairs: readonly TablePair[]): number {
  const scales = pairs.flat().flatMap(({ columns }) => columns.filter(isAmount).map(scaleOf))
  return Math.max(0, ...scales)
}

function isAmount({ unit, list }: ReadableColumn): boolean {
  return unit !== undefined && !list
}

function scaleOf({ type }: ReadableColumn): number {
  const kind = parseColumnType(type)?.type
  return kind?.kind === 'decimal' ? kind.scale : kind?.kind === 'float' ? floatScale : 0
}

const floatScale = 4
