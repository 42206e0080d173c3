export const dialects = ['documented', 'loose'] as const
