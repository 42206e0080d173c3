/**
 * Hides a password in texts of the service, which may quote it: whatever the case, as it is, in a query string, or in
 * JSON. One of fewer than four characters is hidden where it stands alone, as it is a part of half of all words.
 */
export function createPasswordConcealment(password: string): (text: string) => string {
  const forms = [password, JSON.stringify(password).slice(1, -1)]
  if (password.isWellFormed()) forms.push(encodeURIComponent(password))
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  const patterns = longestFirst.map(toPattern)
  return (text) => patterns.reduce((shown, pattern) => shown.replaceAll(pattern, '***'), text)
}

function toPattern(form: string): RegExp {
  const literal = form.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(form.length < 4 ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal, 'giu')
}
