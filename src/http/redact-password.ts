import { listQuotedForms, toLiteral } from './quoted-forms.ts'

/**
 * Hides a password in texts of the service, which may quote it: whatever the case, as it is, in a query string, or in
 * JSON. One of fewer than four characters is hidden where it stands alone, as it is a part of half of all words.
 */
export function createPasswordRedaction(password: string): (text: string) => string {
  const patterns = listQuotedForms(password).map(toPattern)
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text)
}

function toPattern(form: string): RegExp {
  const literal = toLiteral(form)
  return new RegExp(form.length < 4 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'giu')
}
