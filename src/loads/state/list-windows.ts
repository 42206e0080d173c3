import type { BackfillProgress } from '../../manifest/manifest.ts'

/** One part of a span of time, both ends included. */
export interface TimeWindow {
  readonly since: Date
  readonly until: Date
  readonly progress: BackfillProgress | null
}

/** The span to fill in, as it was written and as it was resolved. */
export type BackfillSpan = Omit<BackfillProgress, 'done'> & { readonly windowMs: number }

/**
 * The windows of a span that are still to be read, oldest first. If an earlier call with the same words was not
 * completed, they continue after its last published window, and the span is that call's, whatever time the words mean
 * now. Neighbours share a second, as it is not specified whether a range includes its ends.
 */
export function listWindows(span: BackfillSpan, earlier: BackfillProgress | null): TimeWindow[] {
  const isSame = earlier?.from === span.from && earlier.to === span.to && earlier.window === span.window
  const { since, until } = isSame ? earlier : span
  const done = Date.parse(isSame ? earlier.done : since)
  const end = Date.parse(until)
  const windows: TimeWindow[] = []
  for (let from = done; from < end; from += span.windowMs) {
    const to = Math.min(end, from + span.windowMs)
    const { windowMs: _, ...written } = span
    const progress = { ...written, since, until, done: new Date(to).toISOString() }
    windows.push({ since: new Date(from), until: new Date(to), progress: to < end ? progress : null })
  }
  return windows
}
