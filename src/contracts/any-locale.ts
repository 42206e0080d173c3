/** The key of a localized value that was delivered without a locale. */
export const anyLocale = '*'

/**
 * The key of a delivered locale in the canonical form. A locale that was delivered as `*` suits no other: it becomes `\*`, what looks
 * like that has one more backslash.
 */
export function toLocaleKey(locale: string): string {
  return isStarred(locale) ? `\\${locale}` : locale
}

/** The locale as it was delivered. */
export function toDeliveredLocale(key: string): string {
  return key !== anyLocale && isStarred(key) ? key.slice(1) : key
}

/** True where a locale has another key in the canonical form. */
export function isStarred(locale: string): boolean {
  return locale.endsWith(anyLocale) && starred.test(locale)
}

const starred = /^\\*\*$/
