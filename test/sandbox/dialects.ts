/** The dialects of the sandbox, for `describe.each`. */
export const dialects = ['documented', 'loose'] as const
