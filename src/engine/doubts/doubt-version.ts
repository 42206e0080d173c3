import { type ContractName, contracts } from '../../contracts/contracts.ts'
import { type InterfaceVersion, versionOf } from '../../contracts/given-values.ts'
import { recognizeContract } from '../../contracts/recognize-contract.ts'
import { type Block, defaultMaxLineBytes } from '../../records/block.ts'
import { isObject } from '../../records/json/json-values.ts'
import { parseLine } from '../../records/parse-line.ts'
import { findLineBreak, toRawLine } from '../../records/raw-line.ts'

const versions: readonly ContractName[] = ['v3/product', 'v4/product']
const newline = 0x0a

/**
 * Looks for records of another interface version than their source is read as, for instance in a file with both.
 * Samples the first and last line of each block, since parsing every line would take longer than the run.
 */
export class VersionDoubt {
  #found: { readonly id: string; readonly got: InterfaceVersion; readonly as: InterfaceVersion } | null = null

  look(block: Block): void {
    const { interfaceVersion: as, bytes } = block
    if (as === undefined || this.#found !== null) return
    for (const start of [0, bytes.lastIndexOf(newline, -2) + 1]) {
      const record = readRecord(block, start)
      if (record === null || !isSuspect(record, as)) continue
      const got = recognizeVersion(record)
      if (got !== null && got !== as) this.#found = { id: String(record['id']), got, as }
    }
  }

  describe(): string | null {
    if (this.#found === null) return null
    const { id, got, as } = this.#found
    return `the product "${id}" looks like ${got}, and its source is read as ${as}: does one file hold products of both? All its rows say ${as}; one file is of one version`
  }
}

function readRecord(block: Block, start: number): Record<string, unknown> | null {
  const line = toRawLine(block, start, findLineBreak(block.bytes, start), false)
  const parsed = parseLine(line, { maxLineBytes: defaultMaxLineBytes, exactNumbers: false })
  return parsed.kind === 'record' && isObject(parsed.delivered) ? parsed.delivered : null
}

/** A quick check that passes every record of the other version: all of v3's own fields are nested. */
function isSuspect(record: Record<string, unknown>, as: InterfaceVersion): boolean {
  const { fields: v3 } = contracts['v3/product']
  const { fields: v4 } = contracts['v4/product']
  const hasOwnOfV4 = Object.keys(record).some((name) => v4.has(name) && !v3.has(name))
  return hasOwnOfV4 === (as === 'v3')
}

function recognizeVersion(record: Record<string, unknown>): InterfaceVersion | null {
  const [only, ...others] = recognizeContract([record], versions).candidates
  return only === undefined || others.length > 0 ? null : versionOf(only)
}
