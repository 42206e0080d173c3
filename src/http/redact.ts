import { listQuotedForms, toLiteral } from './quoted-forms.ts'

/**
 * Hides credentials in texts of the service, which may quote them: in any of the forms that a text may give them, as a
 * header has them, or as base64. Those of fewer than four characters are left, as half of any text would be hidden with
 * them.
 */
export function createRedaction(credentials: readonly string[]): (text: string) => string {
  const forms = credentials.flatMap((credential) =>
    credential.length < shortest ? [] : [...listQuotedForms(credential), ...toBase64(credential)],
  )
  // The longest first: a shorter one may be a part of it.
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  const patterns = longestFirst.map((form) => new RegExp(toLiteral(form), 'gi'))
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text)
}

const shortest = 4

/** Without what pads it, which may follow or not. */
function toBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}
