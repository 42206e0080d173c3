/**
 * Hides credentials in texts of the service: plain, in any quoted form, or as base64. Credentials of fewer than four
 * characters are not hidden, because they occur by chance in most texts.
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
 * Hides a password in texts of the service: in any case, plain, in a query string, or in JSON. A password of fewer than
 * four characters is hidden only as a word of its own, because it is a part of many words.
 */
export function createPasswordRedaction(password: string): (text: string) => string {
  return replaceAll(listQuotedForms(password).map(toPasswordPattern))
}

function replaceAll(patterns: readonly RegExp[]): (text: string) => string {
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text)
}

const shortest = 4

/** Without padding, which the text may have or not. */
function toBase64(text: string): string[] {
  const bytes = Buffer.from(text)
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

function toPasswordPattern(form: string): RegExp {
  const literal = toLiteral(form)
  return new RegExp(form.length < shortest ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'giu')
}

/**
 * The forms in which texts may quote a secret, longest first, because a shorter form may be a part of a longer one:
 * plain, in a query string, and in JSON or JSON within JSON, with non-ASCII characters and slashes escaped or not.
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
