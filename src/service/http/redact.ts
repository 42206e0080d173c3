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
  return replaceAll(longestFirst.map((form) => new RegExp(toLiteral(form), 'gi')))
}

/**
 * Hides a password in texts of the service, which may quote it: whatever the case, as it is, in a query string, or in
 * JSON. One of fewer than four characters is hidden as a word of its own, as it is a part of half of all words.
 */
export function createPasswordRedaction(password: string): (text: string) => string {
  return replaceAll(listQuotedForms(password).map(toPasswordPattern))
}

function replaceAll(patterns: readonly RegExp[]): (text: string) => string {
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text)
}

const shortest = 4

/** Without what pads it, which may follow or not. */
function toBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

function toPasswordPattern(form: string): RegExp {
  const literal = toLiteral(form)
  return new RegExp(form.length < shortest ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'giu')
}

/**
 * How texts of the service may quote a secret: as it is, in JSON or in JSON inside of JSON, with escapes for what is not
 * ASCII and for slashes or without, and in a query string. The longest first: a shorter one may be a part of it.
 */
function listQuotedForms(secret: string): string[] {
  const inJson = toJsonForms(secret)
  const forms = [secret, ...inJson, ...inJson.flatMap(toJsonForms)]
  if (secret.isWellFormed()) {
    const encoded = encodeURIComponent(secret)
    forms.push(encoded, encoded.replaceAll('%20', '+'))
  }
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** A pattern of exactly this text, whatever its case. */
function toLiteral(form: string): string {
  return form.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
}

function toJsonForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const forms = [...new Set([json, escapeAscii(json)])]
  return [...forms, ...forms.map((form) => form.replaceAll('/', String.raw`\/`))]
}

function escapeAscii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
