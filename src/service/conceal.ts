/**
 * Hides credentials in texts of the service, which may quote them: as they are, in a query string, or as a header has
 * them. Those of fewer than four characters are left, as half of any text would be hidden with them.
 */
export function createConcealment(credentials: readonly string[]): (text: string) => string {
  const forms = credentials
    .flatMap((credential) => [credential, encodeURIComponent(credential)])
    .filter((form) => form.length >= 4)
  // The longest first: a shorter one may be a part of it.
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((shown, form) => shown.replaceAll(form, '***'), text)
}
