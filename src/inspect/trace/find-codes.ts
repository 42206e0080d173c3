import { toComparableCode, unwrapCode, withoutSeparators } from '../../codes/code-text.ts'
import { canonical, knownSchemes, schemeOf } from '../../codes/schemes.ts'
import { isObject } from '../../records/json/json-values.ts'
import { parseLine } from '../../records/parse-line.ts'
import type { RecordPlan } from '../../records/process-block.ts'
import { toId } from '../../records/reject.ts'
import type { Source } from '../../sources/source.ts'
import { type FindOptions, readCandidates } from './find-lines.ts'

/** A record that has a code, as somebody wrote it. */
export interface RecordWithCode {
  readonly id: string
  readonly written: string
  /** Of the field that has it: `cnk`, `eanGtin13[]`. */
  readonly path: string
}

const mostRecords = 20

/** True for a text that may be a code of some scheme, such as `0012345`, `4400-575` or an EAN. */
export function isCode(written: string): boolean {
  return knownSchemes.some((scheme) => canonical(scheme, written) !== null)
}

/** Finds the records that have one of these codes, at most 20 for each, in the order of the lines. Only reads. */
export async function findCodes(
  written: readonly string[],
  { records, sources }: { readonly records: RecordPlan; readonly sources: readonly Source[] },
  options: FindOptions,
): Promise<RecordWithCode[]> {
  const found = new Map<string, RecordWithCode[]>(written.map((code) => [code, []]))
  const texts = written.map((code) => toComparableCode(withoutSeparators(unwrapCode(code))))
  await readCandidates(texts, { records, sources }, options, ({ line }) => {
    const parsed = parseLine(line, { maxLineBytes: records.maxLineBytes, exactNumbers: false })
    if (parsed.kind !== 'record') return
    const id = toId(parsed.delivered)
    if (id === null) return
    for (const [code, known] of found) {
      if (known.length === mostRecords || known.some((each) => each.id === id)) continue
      const path = findCode(code, parsed.delivered, '')
      if (path !== null) known.push({ id, written: code, path })
    }
  })
  return [...found.values()].flat()
}

/** The path of the first field of a record that has the code. */
function findCode(code: string, value: unknown, path: string): string | null {
  const members = Array.isArray(value)
    ? value.map((element) => [`${path}[]`, element] as const)
    : isObject(value)
      ? Object.entries(value).map(([key, member]) => [path === '' ? key : `${path}.${key}`, member] as const)
      : []
  for (const [at, member] of members) {
    const found = findCode(code, member, at)
    if (found !== null) return found
  }
  const scheme = members.length === 0 ? schemeOf(path) : null
  if (scheme === null) return null
  const wanted = canonical(scheme, code)
  return wanted !== null && canonical(scheme, value) === wanted ? path : null
}
