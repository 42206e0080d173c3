import { z } from 'zod'

export const questions = () =>
  z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'small letters, digits and -'), z.string().min(1))
    .optional()
    .describe('Questions about the published tables by name, in SQL, for the command sql')
