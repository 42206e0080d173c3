import type { ColumnType } from '../../../src/types/column-types.ts'
import { fromBigEndian } from './read-back.ts'
import type { ReadBounds } from './read-chunks.ts'
import type { CellSummary, Comparable } from './summarize-cells.ts'

/**
 * Lists the faults of bounds that were read. Text of more than 64 bytes may be cut, but then what is left bounds it, and
 * the flags, which only chunks have, state it.
 */
export function checkBounds(type: ColumnType, read: ReadBounds | null, truth: CellSummary['bounds']): string[] {
  if (read === null || truth === null) return read === truth ? [] : ['bounds, or none, where it should be otherwise']
  const [min, max] = [parseBound(type, read.min), parseBound(type, read.max)]
  const problems: string[] = []
  const isMinRight = isLong(truth.min)
    ? isCutOf(min as string, truth.min as string)
    : Object.is(min, truth.min === 0 ? -0 : truth.min)
  if (!isMinRight) problems.push(`a min of ${min}, expected ${truth.min}`)
  const isMaxRight = isLong(truth.max)
    ? isRaised(max as string, truth.max as string)
    : Object.is(max, truth.max === 0 ? 0 : truth.max)
  if (!isMaxRight) problems.push(`a max of ${max}, expected ${truth.max}`)
  if ((read.isMinExact ?? min === truth.min) !== (min === truth.min)) problems.push('a wrong flag of the min')
  if ((read.isMaxExact ?? max === truth.max) !== (max === truth.max)) problems.push('a wrong flag of the max')
  return problems
}

function parseBound({ kind, ...type }: ColumnType, bytes: Buffer): Comparable {
  switch (kind) {
    case 'text':
    case 'json':
      return bytes.toString('hex')
    case 'boolean':
      return bytes.readUInt8() === 1
    case 'float':
      return bytes.readDoubleLE()
    case 'date':
      return BigInt(bytes.readInt32LE())
    case 'integer':
    case 'timestamp':
      return bytes.readBigInt64LE()
    case 'decimal': {
      const { precision } = type as { precision: number }
      if (precision > 18) return fromBigEndian(bytes)
      return precision > 9 ? bytes.readBigInt64LE() : BigInt(bytes.readInt32LE())
    }
  }
}

function isLong(value: Comparable): boolean {
  return typeof value === 'string' && value.length > mostDigits
}

function isCutOf(min: string, value: string): boolean {
  const isWellFormed = Buffer.from(Buffer.from(min, 'hex').toString()).toString('hex') === min
  return isWellFormed && value.startsWith(min) && min.length > mostDigits - 8 && min.length <= mostDigits
}

/** Text whose first 64 bytes are all of the last character there is can't be raised. */
function isRaised(max: string, value: string): boolean {
  if (value.startsWith('f48fbfbf'.repeat(16))) return max === value
  const isWellFormed = Buffer.from(Buffer.from(max, 'hex').toString()).toString('hex') === max
  return isWellFormed && max > value && max.length <= mostDigits + 2
}

const mostDigits = 2 * 64
