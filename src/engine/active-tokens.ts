/** The runs and fetches that go on in this process: their staging files are nobody else's to clear. */
export const activeTokens = new Set<string>()
