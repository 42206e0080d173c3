/** Tokens of the runs and fetches under way in this process. Their staging files must not be cleared by others. */
export const activeTokens = new Set<string>()
