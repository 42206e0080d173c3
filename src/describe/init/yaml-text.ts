/** Formats a text as YAML, in quotes if it would not be read as the same text without them. */
export function quoteYaml(text: string): string {
  if (plain.test(text) && !wordsOfYaml.test(text)) return text
  // Control characters have escapes only in double quotes.
  return /[\p{Cc}\u2028\u2029\uFEFF]/u.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`
}

/** Formats a path as a config value, in which `${` begins a variable. */
export function quotePath(path: string): string {
  return quoteYaml(path.replaceAll('${', () => '$${'))
}

export function formatList(texts: readonly string[]): string {
  return `[${texts.map(quoteYaml).join(', ')}]`
}

const plain = /^[A-Za-z/][\w./-]*$/
const wordsOfYaml = /^(?:true|false|null|yes|no|on|off|y|n)$/i
