import { findValue } from './json/find-value.ts'
import { toExpected } from './reject-reasons.ts'
import type { RawLine } from './raw-line.ts'
import type { Issue } from './reject.ts'

/** The right value of a field of one record, for as long as its source delivers the wrong one. */
export interface Correction {
  readonly id: string
  /** As issues have it: `photos[0].displayOrder`. */
  readonly path: string
  /** The wrong value: the content of a string, JSON of anything else. */
  readonly value: string
  /** JSON, or the content of a string. */
  readonly corrected: string
}

/** Why a line would be rejected; null if it would not. */
export type FindIssues = (line: RawLine) => RejectedLine | null

interface RejectedLine {
  readonly id: string | null
  readonly issues: readonly Issue[]
}

export interface CorrectedLine {
  readonly line: RawLine
  /** The numbers of the corrections that the line needed; empty for a line as it was delivered. */
  readonly used: readonly number[]
  /** The corrections of a line that stays as it was delivered, as they don't save it. */
  readonly refused: readonly RefusedCorrection[]
}

export interface RefusedCorrection {
  readonly number: number
  /** Without values of the record. */
  readonly reason: string
}

export type CorrectLine = (line: RawLine, findIssues: FindIssues) => CorrectedLine

/** Corrects lines that would be rejected. A line that corrections don't save stays as it was delivered. */
export function compileCorrections(corrections: readonly Correction[]): CorrectLine {
  const byId = new Map<string, NumberedCorrection[]>()
  for (const [number, each] of corrections.entries())
    byId.set(each.id, [...(byId.get(each.id) ?? []), { ...each, number }])
  return (line, findIssues) => {
    let rejected = findIssues(line)
    let corrected: Omit<CorrectedLine, 'refused'> = { line, used: [] }
    while (rejected !== null) {
      const left = (byId.get(rejected.id ?? '') ?? []).filter(({ number }) => !corrected.used.includes(number))
      const next = correctOne(corrected.line, rejected, left, findIssues)
      if (next === null) return { line, used: [], refused: explain(corrected, rejected, left, findIssues) }
      corrected = { line: next.line, used: [...corrected.used, next.number] }
      rejected = next.rejected
    }
    return { ...corrected, refused: [] }
  }
}

interface NumberedCorrection extends Correction {
  readonly number: number
}

interface NextLine {
  readonly line: RawLine
  readonly number: number
  readonly rejected: RejectedLine | null
}

/** Takes the first correction that removes its issue. */
function correctOne(
  line: RawLine,
  { issues }: RejectedLine,
  corrections: readonly NumberedCorrection[],
  findIssues: FindIssues,
): NextLine | null {
  for (const { number, ...correction } of corrections.filter(({ path }) => hasIssueAt(issues, path))) {
    for (const next of listCorrected(line, correction)) {
      const rejected = findIssues(next)
      if (!hasIssueAt(rejected?.issues ?? [], correction.path)) return { line: next, number, rejected }
    }
  }
  return null
}

/** Why corrections don't save a line: their own value is wrong, the source has another, or something else is wrong. */
function explain(
  { line, used }: Pick<CorrectedLine, 'line' | 'used'>,
  { issues }: RejectedLine,
  left: readonly NumberedCorrection[],
  findIssues: FindIssues,
): RefusedCorrection[] {
  const other = describeIssue(issues.find(({ path }) => !left.some((each) => each.path === path)) ?? issues[0])
  const refused = left.map(({ number, ...correction }): RefusedCorrection => {
    if (!hasIssueAt(issues, correction.path))
      return { number, reason: `the source has nothing wrong at this path, but ${other}` }
    const tried = listCorrected(line, correction)[0]
    if (tried === undefined) return { number, reason: 'the source delivers another value' }
    const issue = findIssues(tried)?.issues.find(({ path }) => path === correction.path)
    return { number, reason: `the corrected value is wrong too: ${toExpected(issue?.message ?? '')}` }
  })
  return [...used.map((number) => ({ number, reason: `the line is rejected all the same: ${other}` })), ...refused]
}

function describeIssue(issue: Issue | undefined): string {
  if (issue === undefined) return ''
  return `${issue.path === '' ? '' : `${issue.path}: `}${toExpected(issue.message)}`
}

function hasIssueAt(issues: readonly Issue[], path: string): boolean {
  return issues.some((issue) => issue.path === path)
}

/** The line with the corrected value as JSON, if it is JSON, then as a string. Empty if it has another value by now. */
function listCorrected(line: RawLine, { path, value, corrected }: Correction): RawLine[] {
  const text = line.bytes.toString('utf8')
  const { start, end, isWhole } = findValue(text, path)
  if (!isWhole || toPlainText(text.slice(start, end)) !== value) return []
  const quoted = JSON.stringify(corrected)
  return (isJson(corrected) ? [corrected.trim(), quoted] : [quoted]).map((each) => {
    const bytes = Buffer.from(text.slice(0, start) + each + text.slice(end))
    return { ...line, bytes, lineBytes: bytes.length }
  })
}

/** A value as people see it in the table of corrections: the content of a string, JSON of anything else. */
export function toPlainText(json: string): string {
  const text = json.trim()
  return text.startsWith('"') ? String(JSON.parse(text)).trim() : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !/[\r\n]/.test(text)
  } catch {
    return false
  }
}
