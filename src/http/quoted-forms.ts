/**
 * How texts of the service may quote a secret: as it is, in JSON or in JSON inside of JSON, with escapes for what is not
 * ASCII and for slashes or without, and in a query string. The longest first: a shorter one may be a part of it.
 */
export function listQuotedForms(secret: string): string[] {
  const inJson = toJsonForms(secret)
  const forms = [secret, ...inJson, ...inJson.flatMap(toJsonForms)]
  if (secret.isWellFormed()) {
    const encoded = encodeURIComponent(secret)
    forms.push(encoded, encoded.replaceAll('%20', '+'))
  }
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** A pattern of exactly this text, whatever its case. */
export function toLiteral(form: string): string {
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
