import { characterStart } from '../../text/cut-text.ts'
import { redactedMark } from '../credentials.ts'
import type { TextRange } from './redacted-ranges.ts'

/** A line of a text as messages show it, and the place in it that is meant. */
export interface Excerpt {
  readonly text: string
  /** 0-based. */
  readonly mark: number
}

/** The line around `offset`: without redacted parts, on one line of a screen, and cut if it is very long. */
export function toExcerpt(text: string, offset: number, ranges: readonly TextRange[]): Excerpt {
  const from = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', from)
  const parts = toParts([from, end < 0 ? text.length : end], ranges)
  const line = parts.map((part) => (part.isRedacted ? redactedMark : text.slice(part.from, part.until))).join('')
  const widths = parts.map((part) => {
    if (part.until <= offset) return part.isRedacted ? redactedMark.length : part.until - part.from
    return part.isRedacted ? 0 : Math.max(0, offset - part.from)
  })
  const mark = widths.reduce((sum, width) => sum + width, 0)
  // Control characters would do as they please on a terminal.
  return cut({ text: line.replaceAll(/\p{Cc}/gu, ' ').trimEnd(), mark })
}

interface Part {
  readonly from: number
  readonly until: number
  readonly isRedacted: boolean
}

/** Divides the line into shown and redacted parts. `ranges` are in order and may overlap. */
function toParts([from, until]: TextRange, ranges: readonly TextRange[]): Part[] {
  const parts: Part[] = []
  let at = from
  for (const [redactedFrom, redactedUntil] of ranges) {
    if (redactedUntil <= at || redactedFrom >= until) continue
    if (redactedFrom > at) parts.push({ from: at, until: redactedFrom, isRedacted: false })
    parts.push({ from: Math.max(at, redactedFrom), until: Math.min(until, redactedUntil), isRedacted: true })
    at = Math.min(until, redactedUntil)
  }
  return [...parts, { from: at, until, isRedacted: false }]
}

function cut({ text, mark }: Excerpt): Excerpt {
  if (text.length <= longest) return { text, mark }
  const from = characterStart(text, Math.max(0, Math.min(mark - longest / 2, text.length - longest)))
  const until = characterStart(text, from + longest)
  const before = from > 0 ? '…' : ''
  const after = until < text.length ? '…' : ''
  return { text: before + text.slice(from, until) + after, mark: mark - from + before.length }
}

const longest = 120
