import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { python } from './other-readers.ts'

export interface FedChange {
  readonly version: number
  readonly type: string
  /** As `readDeltaLines` has them. */
  readonly line: string
}

/** The changes of a table from a version on, as deltalake reads them. */
export function readFeed(folder: string, since = 0): FedChange[] {
  return parseFeed(execFileSync(python, [join(import.meta.dirname, 'read-feed.py'), folder, String(since)], options))
}

const options = { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const

export function parseFeed(text: string): FedChange[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as [number, string, unknown[]])
    .map(([version, type, cells]) => ({ version, type, line: JSON.stringify(cells) }))
}

function checkExact(changes: readonly FedChange[], key: readonly number[]): void {
  const linesOf = (...types: string[]) => changes.flatMap(({ type, line }) => (types.includes(type) ? [line] : []))
  const come = new Set(linesOf('insert', 'update_postimage'))
  const same = linesOf('delete', 'update_preimage').find((line) => come.has(line))
  if (same !== undefined) throw new Error(`the same row removed and added: ${same}`)
  const keys = (type: string) =>
    linesOf(type)
      .map((line) => toKey(line, key))
      .toSorted()
  if (JSON.stringify(keys('update_preimage')) !== JSON.stringify(keys('update_postimage')))
    throw new Error(
      `an update of one side: ${keys('update_preimage').join(' ')}, ${keys('update_postimage').join(' ')}`,
    )
  const removed = new Set(keys('delete'))
  const replaced = keys('insert').find((each) => removed.has(each))
  if (replaced !== undefined) throw new Error(`an update as delete and insert: ${replaced}`)
}

/**
 * The rows after each version, by applying changes to the rows before. Throws if a change removes a row that is not there. Versions
 * that are exact also put back nothing that they remove, and have both sides of an update.
 */
export function replayFeed(
  changes: readonly FedChange[],
  key: readonly number[],
  rows: readonly string[] = [],
  isExact: (version: number) => boolean = () => true,
): Map<number, string[]> {
  const after = new Map<number, string[]>()
  const versions = [...new Set(changes.map(({ version }) => version))].toSorted((one, other) => one - other)
  let there = [...rows]
  for (const version of versions) {
    const ofVersion = changes.filter((change) => change.version === version)
    const linesOf = (...types: string[]) => ofVersion.flatMap(({ type, line }) => (types.includes(type) ? [line] : []))
    const gone = linesOf('delete', 'update_preimage')
    const come = linesOf('insert', 'update_postimage')
    if (gone.length + come.length !== ofVersion.length) throw new Error(`${version}: a change of another type`)
    for (const line of gone) {
      const at = there.indexOf(line)
      if (at < 0) throw new Error(`${version}: removed a row that is not there: ${line}`)
      there.splice(at, 1)
    }
    there = [...there, ...come]
    if (isExact(version)) checkExact(ofVersion, key)
    after.set(version, there.toSorted())
  }
  return after
}

function toKey(line: string, columns: readonly number[]): string {
  const cells = JSON.parse(line) as unknown[]
  return JSON.stringify(columns.map((at) => cells[at]))
}
