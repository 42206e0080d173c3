import { fitText, widthOf } from '../../text/text-width.ts'

export interface ProgressState {
  readonly name: string
  /** Such as `1,234 lines, 120 MB/s`. */
  readonly counts: string
  /** From 0 to 1; null if no total is known. */
  readonly share: number | null
  readonly secondsLeft: number
}

/** Formats one line within `width`. A narrow one has a shorter bar, then no bar and no counts. */
export function formatProgressLine({ name, counts, share, secondsLeft }: ProgressState, width: number): string {
  const shownName = fitText(name, Math.max(8, Math.floor(width / 3)))
  const head = `${shownName}  ${counts}`
  if (share === null) return fitText(head, width)
  const tail = `${Math.floor(share * 100)} %, ${formatSeconds(secondsLeft)} left`
  const room = width - widthOf(head) - tail.length - 4
  if (room >= shortestBar) return `${head}  ${formatBar(share, Math.min(longestBar, room))}  ${tail}`
  return fitText(room >= -2 ? `${head}  ${tail}` : `${shownName}  ${tail}`, width)
}

const shortestBar = 5
const longestBar = 40

function formatBar(share: number, size: number): string {
  const done = Math.max(0, Math.min(size, Math.round(share * size)))
  return '█'.repeat(done) + '░'.repeat(size - done)
}

function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?'
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function barWidth({ columns }: { readonly columns?: number }): number {
  // The last column stays free, as some terminals break the line behind it.
  return (columns || 80) - 1
}
