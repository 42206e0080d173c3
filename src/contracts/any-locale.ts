/** A localized value in its canonical form: values by locale. `*` has a value without a locale, which suits all. */
export type Localized<Value> = Record<string, Value | null | undefined>

/** The key of a localized value that was delivered without a locale. */
export const anyLocale = '*'

/**
 * The key of a delivered locale in the canonical form. A locale that was delivered as `*` doesn't suit all others: it
 * becomes `\*`, and one of backslashes before a star gets one more backslash.
 */
export function toLocaleKey(locale: string): string {
  return isStarred(locale) ? `\\${locale}` : locale
}

export function toDeliveredLocale(key: string): string {
  return key !== anyLocale && isStarred(key) ? key.slice(1) : key
}

export function isStarred(locale: string): boolean {
  return locale.endsWith(anyLocale) && starred.test(locale)
}

const starred = /^\\*\*$/
