/** The key of a localized value that was delivered without a locale. */
export const anyLocale = '*'
