/** The problem with the address of a service, in words that never quote a password; null if there is none. */
export function checkBaseUrl(baseUrl: string): string | null {
  // Searched in the whole text: with a "/" in the password, the URL parser finds the user elsewhere.
  if (baseUrl.includes('@')) return 'expected no user and password in the address: they go into keyId and keySecret'
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `expected an address such as https://api.example.com, got "${baseUrl}"`
  }
  return url.search === '' && url.hash === '' ? null : `expected an address without ? and #, got "${baseUrl}"`
}
