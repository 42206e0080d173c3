/** What is wrong with the address of a service, if anything, in words that hold no password. */
export function checkBaseUrl(baseUrl: string): string | null {
  // Anywhere: with a / in the password, a parser finds the user in another place.
  if (baseUrl.includes('@')) return 'expected no user and password in the address: they go into keyId and keySecret'
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return `expected an address such as https://api.example.com, got "${baseUrl}"`
  }
  return url.search === '' && url.hash === '' ? null : `expected an address without ? and #, got "${baseUrl}"`
}
