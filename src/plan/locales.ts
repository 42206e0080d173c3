/** The locales that the specification's image fallback names. */
export const specLocales = ['nl', 'fr', 'en'] as const

/** The order to try, with `others` for any locale that is left. */
export interface LocaleChain {
  readonly locales: readonly string[]
  readonly others: boolean
}

const specFallbacks: Readonly<Record<string, readonly string[]>> = { nl: ['fr', 'en'], fr: ['nl', 'en'], en: ['nl'] }

/** The specification's fallback (specification: Photo, Locale fallback for choosing an image); for others: nl, fr, en. */
export function toSpecChain(locale: string): LocaleChain {
  return { locales: [locale, ...(specFallbacks[locale] ?? specLocales)], others: true }
}

/** True for a locale code with a language that exists: `nl`, `en_AU`. */
export function isLocaleCode(text: string): boolean {
  if (!/^[a-z]{2,3}(?:[_-][A-Za-z]{2})?$/.test(text)) return false
  const language = text.slice(0, text.search(/[_-]|$/))
  return specLocales.some((locale) => locale === language) || isLanguage(language)
}

/** Asked last: the names of all languages take longer to load than a config to check. */
function isLanguage(code: string): boolean {
  return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined
}
