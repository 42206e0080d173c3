import { fitText, widthOf } from '../../text/text-width.ts'

/** How far something has come. */
export interface ProgressState {
  readonly name: string
  /** `1,234 lines, 120 MB/s` */
  readonly counts: string
  /** From 0 to 1; null where nothing states a total. */
  readonly share: number | null
  readonly secondsLeft: number
}

/** One line of at most so many columns. On a narrow one the bar becomes shorter, then it and the counts are left out. */
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

/** `45 s`, `3 min`, `1 h 20 min`; a question mark before anything is known. */
function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '?'
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The width of the terminal that bars are drawn on. */
export function barWidth({ columns }: { readonly columns?: number }): number {
  // The last column stays free, as some terminals break the line behind it.
  return (columns || 80) - 1
}
