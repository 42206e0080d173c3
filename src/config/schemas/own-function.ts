import { z } from 'zod'
import { isStandardSchema, type StandardSchema } from '../../contracts/standard-schema.ts'
import type { Compute } from '../../records/flatten/table-plan.ts'

/** A function of the user. JSON Schema has none; the comment is its type for TypeScript. */
const given = z
  .custom<Compute>((value) => typeof value === 'function', 'a function')
  .meta({ not: {}, $comment: '(record: any, element?: any) => unknown' })

const used = z.strictObject({
  use: z.string().describe('The module beside the config, and the name of its export: ./steps.ts#margin'),
})

/** A function, or the module that has it. */
export const ownFunction = z.union([used, given])

/** A schema of any library, or the module that has it. */
export const ownSchema = z.union([
  used,
  z
    .custom<StandardSchema>(
      isStandardSchema,
      'a schema that is a Standard Schema (of zod, valibot, arktype and others)',
    )
    .meta({ not: {}, $comment: 'StandardSchema' }),
])
