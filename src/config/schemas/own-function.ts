import { z } from 'zod'
import { isStandardSchema, type StandardSchema } from '../../contracts/standard-schema.ts'
import type { Compute } from '../../records/flatten/table-plan.ts'
import type { OpenOwnOutput } from '../../records/own-output.ts'

/** A function of the user. JSON Schema has none; the comment is its type for TypeScript. */
function given<Own>(type: string) {
  return z.custom<Own>((value) => typeof value === 'function', 'a function').meta({ not: {}, $comment: type })
}

const used = z.strictObject({
  use: z.string().describe('The module beside the config, and the name of its export: ./steps.ts#margin'),
})

/** A function that computes a column, or the module that has it. */
export const ownFunction = z.union([used, given<Compute>('(record: any, element?: any) => unknown')])

/** A function that opens an output, or the module that has it. */
export const ownOutput = z.union([used, given<OpenOwnOutput>('OpenOwnOutput')])

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
