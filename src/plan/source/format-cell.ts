const longest = 40
const most = 10

/** What a cell holds, as messages show it. */
export function formatCell(text: string): string {
  return JSON.stringify(text.length <= longest ? text : `${text.slice(0, longest)}…`)
}

/** `line 3 …, line 7 …`; of many the first ten and how many more there are. */
export function formatLines(lines: readonly string[]): string {
  const shown = lines.slice(0, most).join(', ')
  return lines.length <= most ? shown : `${shown}, and ${lines.length - most} more`
}
