import { problemAt, type Problem } from '../config/problem.ts'
import { localeForm } from '../config/schemas/selection-schema.ts'
import { toSnakeCase } from './records/plan-columns.ts'

export const specLocales = ['nl', 'fr', 'en'] as const

/** Locales to try in order; `others` allows any other locale after them. */
export interface LocaleChain {
  readonly locales: readonly string[]
  readonly others: boolean
}

const specFallbacks: Readonly<Record<string, readonly string[]>> = { nl: ['fr', 'en'], fr: ['nl', 'en'], en: ['nl'] }

/**
 * The fallback order of the specification (Photo, Locale fallback for choosing an image); nl, fr, en for other locales.
 */
export function toSpecChain(locale: string): LocaleChain {
  return { locales: [locale, ...(specFallbacks[locale] ?? specLocales)], others: true }
}

/** Whether a text is the code of a locale whose language exists: `nl`, `en_AU`. */
export function isLocaleCode(text: string): boolean {
  if (!localeForm.test(text)) return false
  const language = text.slice(0, text.search(/[_-]|$/))
  return specLocales.some((locale) => locale === language) || isLanguage(language)
}

/** Checked last, since loading the names of all languages takes longer than checking a config. */
function isLanguage(code: string): boolean {
  return new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined
}

export function checkLocales(locales: readonly string[]): Problem[] {
  return locales.flatMap((locale, index, all) => {
    const path = ['locales', index]
    if (!isLocaleCode(locale))
      return [problemAt(path, `unknown locale "${locale}", expected a code such as nl, fr, en or en_AU`)]
    // `en_AU` and `en-au` would give columns of the same name.
    const first = all.findIndex((other) => toSnakeCase(other) === toSnakeCase(locale))
    return first < index ? [problemAt(path, `locale "${locale}": expected once, got it twice`)] : []
  })
}
