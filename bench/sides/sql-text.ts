/** Text as an SQL literal. */
export function toLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A column name as SQL writes it, whatever is in it. */
export function toName(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
