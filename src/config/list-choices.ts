const most = 16

/** `nl, fr, en`; of many choices the first sixteen and how many more there are. */
export function listChoices(choices: readonly string[]): string {
  if (choices.length <= most) return choices.join(', ')
  return `${choices.slice(0, most).join(', ')}, … (${choices.length - most} more)`
}
