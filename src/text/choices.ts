/**
 * The candidate that `word` was probably meant to be, ignoring case: within two edits, or a third of the length of a
 * long word. The nearest wins, then the first. Undefined if none is close.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase()
  const limit = Math.max(2, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(lower, candidate.toLowerCase())
    // Two edits turn any two letters into any others, so something of the candidate has to be kept.
    const keepsSome = distance === 0 || distance < Math.min(word.length, candidate.length)
    if (distance < bestDistance && keepsSome) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Counts inserted, dropped, replaced and swapped neighbouring letters (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1
      let distance = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost)
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (swapped) distance = Math.min(distance, beforePrevious[column - 2]! + 1)
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length]!
}

const most = 16

/** `nl, fr, en`; of many choices the first sixteen and the number of the others. */
export function listChoices(choices: readonly string[]): string {
  if (choices.length <= most) return choices.join(', ')
  return `${choices.slice(0, most).join(', ')}, … (${choices.length - most} more)`
}

/** `; did you mean "name"?`, to append to a message; empty without a suggestion. */
export function formatSuggestion(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}
