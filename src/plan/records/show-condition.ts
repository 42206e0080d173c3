/** A condition as YAML writes it in one line, for reports: `active`, `[active, inactive]`, `{not: inactive}`. Long ones are cut. */
export function showCondition(condition: unknown): string {
  const text = show(condition)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

const longest = 100

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [`${key}: ${show(each)}`]))
  return `{${members.join(', ')}}`
}
