import { z } from 'zod'

/** One reason why a line was rejected. */
const issue = z.object({
  /** Stable: `invalid_json`, `invalid_utf8`, `line_too_long`, `invalid_type`, `unknown_field`, `duplicate_id`, … */
  code: z.string(),
  /** The path in the record: `photos[0].displayOrder`; empty for the whole line. */
  path: z.string(),
  /** Says what was expected and what came. */
  message: z.string(),
  /** Bytes of the line before a fault that has no path: `invalid_json`. */
  at: z.number().optional(),
})

/** The line as text; as base64 if it is no UTF-8; only its beginning if it is longer than any line may be. */
export const rawText = z.union([
  z.object({ raw: z.string(), rawTruncated: z.literal(true), rawBytes: z.number() }),
  z.object({ raw: z.string() }),
  z.object({ rawBase64: z.string() }),
])

/** What every line of the rejects file has, beside its text. */
export const reject = z.object({
  /** The file or endpoint that the line came from. */
  source: z.string(),
  /** 1-based. */
  line: z.int().positive(),
  /** Offset of the line in its uncompressed source; null if the source has no bytes of its own. */
  byteOffset: z.number().nullable(),
  index: z.number().nullable(),
  id: z.string().nullable(),
  issues: z.array(issue),
  /** `hashRawText` of the line in its source, by which a corrected line finds it again. */
  sha256: z.string(),
})

/** What of a line is needed to read it: it may have been edited by hand. */
export const readableReject = reject
  .pick({ source: true, line: true, issues: true })
  .extend({ raw: z.unknown().optional(), rawBase64: z.unknown().optional() })
  .refine(({ raw, rawBase64 }) => typeof raw === 'string' || typeof rawBase64 === 'string', { path: ['raw'] })
