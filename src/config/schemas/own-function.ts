import { z } from 'zod'
import type { Compute } from '../../records/flatten/table-plan.ts'

/** A function of the user. JSON Schema has none; the comment is its type for TypeScript. */
const given = z
  .custom<Compute>((value) => typeof value === 'function', 'a function')
  .meta({ not: {}, $comment: '(record: any, element?: any) => unknown' })

/** A function, or the module that has it. */
export const ownFunction = z.union([
  z.strictObject({
    use: z.string().describe('The module beside the config, and the name of its export: ./steps.ts#margin'),
  }),
  given,
])
