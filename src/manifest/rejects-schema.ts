import { z } from 'zod'

const issue = z.object({
  /** Stable: `invalid_json`, `invalid_utf8`, `line_too_long`, `invalid_type`, `unknown_field`, `duplicate_id`, … */
  code: z.string(),
  /** The path in the record: `photos[0].displayOrder`; empty for the whole line. */
  path: z.string(),
  message: z.string(),
  /** Bytes of the line before the fault, for `invalid_json`, whose fault has no path. */
  at: z.number().optional(),
})

/** The line as text; as base64 if it is no UTF-8; only its beginning if it is longer than `maxLineBytes`. */
export const rawText = z.union([
  z.object({ raw: z.string(), rawTruncated: z.literal(true), rawBytes: z.number() }),
  z.object({ raw: z.string() }),
  z.object({ rawBase64: z.string() }),
])

export const reject = z.object({
  source: z.string(),
  line: z.int().positive(),
  /** Offset of the line in its uncompressed source; null if the source has no bytes of its own. */
  byteOffset: z.number().nullable(),
  index: z.number().nullable(),
  id: z.string().nullable(),
  issues: z.array(issue),
  /** `hashRawText` of the line in its source, by which a replay finds the line of a correction. */
  sha256: z.string(),
})

/** The members that reading needs. Other members may have been edited by hand. */
export const readableReject = reject
  .pick({ source: true, line: true, issues: true })
  .extend({ raw: z.unknown().optional(), rawBase64: z.unknown().optional() })
  .refine(({ raw, rawBase64 }) => typeof raw === 'string' || typeof rawBase64 === 'string', { path: ['raw'] })
