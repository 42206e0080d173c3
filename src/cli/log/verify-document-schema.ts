import { z } from 'zod'
import { verificationSchema } from '../../engine/verify/verification.ts'
import { failureDocumentSchema } from './run-document-schema.ts'

/** The document that `verify --json` writes. */
export const verifyDocumentSchema = z.union([
  verificationSchema.describe('what was published, compared with what is there'),
  failureDocumentSchema.describe(
    'nothing was compared: the command line or a config is wrong, or something could not be read',
  ),
])

/** Its JSON Schema, for docs/. */
export function toVerifyDocumentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(verifyDocumentSchema, { io: 'input' })
  return { ...schema, title: 'catalogue-etl verify --json' }
}
