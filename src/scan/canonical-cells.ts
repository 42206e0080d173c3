import type { ScalarType } from '../contracts/field-kinds.ts'
import type { ScanMemory } from './scan-memory.ts'
import { cellBytes, nullLength } from './table-memory.ts'

/** The value of a cell that the walk has filled, as a record in canonical form holds it. */
export function readCanonical(memory: ScanMemory, cell: number, type: ScalarType, isList: boolean): unknown {
  const { words } = memory
  const address = words[cell >> 2] as number
  const length = words[(cell >> 2) + 1] as number
  if (length === nullLength) return null
  if (!isList) return parseCanonical(readText(memory, cell), type)
  return Array.from({ length }, (_, index) => readCanonical(memory, address + index * cellBytes, type, false))
}

/** The text of a cell that is not null. */
export function readText({ words, bytes }: ScanMemory, cell: number): string {
  const address = words[cell >> 2] as number
  return bytes.toString('utf8', address, address + (words[(cell >> 2) + 1] as number))
}

function parseCanonical(text: string, type: ScalarType): unknown {
  switch (type) {
    case 'text':
      return text
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'float':
    case 'timestamp':
      return Number(text)
  }
}
