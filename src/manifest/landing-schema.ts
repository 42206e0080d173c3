import { z } from 'zod'
import { completeness, notes } from './manifest-schema.ts'

const request = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  filter: z.unknown(),
  alternatives: z.array(z.unknown()).optional(),
  sorting: z.unknown(),
  page: z.unknown(),
  partition: z.unknown(),
  sourceIds: z.object({ file: z.string(), field: z.string() }).optional(),
})

/**
 * The manifest of a file that `fetch` landed, beside it as `FILE.manifest.json`: the origin of its lines and the proof
 * that they are complete. It holds no credentials.
 */
export const landingManifest = z.object({
  /** Tells it from other files of that name. */
  kind: z.literal('landing'),
  format: z.literal(1),
  tool: z.object({ name: z.string(), version: z.string() }),
  pipeline: z.string(),
  contract: z.object({ name: z.string(), version: z.number() }),
  /** `v4/products/stream` */
  endpoint: z.string(),
  baseUrl: z.string(),
  /** The request, dates as unix seconds. */
  request,
  /** By the clock of this machine. */
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** By the service's clock; null if it sends none. */
  firstAnswerAt: z.iso.datetime().nullable(),
  lines: z.int().nonnegative(),
  /** Bytes of the lines, before compression. */
  bytes: z.int().nonnegative(),
  /** After compression. */
  file: z.object({ bytes: z.int().nonnegative(), sha256: z.string() }),
  completeness,
  notes: notes.omit({ firstAnswerAt: true }),
})

export const landing = landingManifest
  .omit({ kind: true, tool: true, finishedAt: true, lines: true, bytes: true })
  .extend({ request: request.pick({ filter: true, alternatives: true, sourceIds: true }) })
