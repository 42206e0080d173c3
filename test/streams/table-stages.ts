import { readFile } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import {
  contracts,
  flattenRecords,
  parseRecords,
  readRows,
  splitLines,
  validateRecords,
  type ContractName,
  type RejectedLine,
  type TableOptions,
  type ValidateRecordsOptions,
} from '../../src/streams.ts'

/** The stages from bytes to the rows of a table. Rejects of both kinds go into `rejects`. */
export function toTableStages(
  contract: ContractName,
  table: TableOptions,
  rejects: RejectedLine[] = [],
  options: ValidateRecordsOptions = {},
): Duplex[] {
  const onReject = (reject: RejectedLine): void => void rejects.push(reject)
  return [
    splitLines(),
    parseRecords(),
    validateRecords(contracts[contract], { ...options, onReject }),
    flattenRecords({ ...table, onReject }),
  ]
}

/** `readRows`, with rejects in `rejects`. */
export function toReadRows(
  contract: ContractName,
  table: TableOptions,
  rejects: RejectedLine[] = [],
  options: ValidateRecordsOptions = {},
): Duplex[] {
  const onReject = (reject: RejectedLine): void => void rejects.push(reject)
  const { locales: _, ...checks } = options
  return [readRows({ ...checks, ...table, contract: contracts[contract], onReject, completeness: 'report' })]
}

export const waysToRows = [
  ['the composed stages', toTableStages],
  ['readRows', toReadRows],
] as const

/** The rejects of a run as `onReject` gets them. */
export async function readRejects(path: string): Promise<RejectedLine[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const {
      source: _,
      sha256: _hash,
      ...reject
    } = JSON.parse(line) as RejectedLine & Record<'source' | 'sha256', string>
    return reject
  })
}
