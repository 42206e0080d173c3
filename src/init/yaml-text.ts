/** A text as YAML: plain where it can be read as nothing else, in quotes otherwise. */
export function quoteYaml(text: string): string {
  if (plain.test(text) && !wordsOfYaml.test(text)) return text
  // Control characters have escapes only in double quotes.
  return /[\p{Cc}\u2028\u2029\uFEFF]/u.test(text) ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`
}

/** A path as a value of a config, in which `${` begins a variable. */
export function quotePath(path: string): string {
  return quoteYaml(path.replaceAll('${', () => '$${'))
}

/** `[nl, fr]` */
export function formatList(texts: readonly string[]): string {
  return `[${texts.map(quoteYaml).join(', ')}]`
}

const plain = /^[A-Za-z/][\w./-]*$/
const wordsOfYaml = /^(?:true|false|null|yes|no|on|off|y|n)$/i
