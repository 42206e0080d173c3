import { z } from 'zod'
import { completeness, notes } from './manifest-schema.ts'

const request = z.object({
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  filter: z.unknown(),
  sorting: z.unknown(),
  page: z.unknown(),
  partition: z.unknown(),
  /** The file of a list of identifiers. */
  sourceIds: z.object({ file: z.string(), field: z.string() }).optional(),
})

/**
 * The manifest of a file that `fetch` landed, beside it as `FILE.manifest.json`: the origin of its lines, and the proof that
 * they are complete. It holds no credentials.
 */
export const landingManifest = z.object({
  /** Distinguishes it from any other file of that name. */
  kind: z.literal('landing'),
  /** The version of this shape. */
  format: z.literal(1),
  tool: z.object({ name: z.string(), version: z.string() }),
  pipeline: z.string(),
  contract: z.object({ name: z.string(), version: z.number() }),
  /** `v4/products/stream` */
  endpoint: z.string(),
  /** The address of the service, before `/v4`. */
  baseUrl: z.string(),
  /** The request, dates as unix seconds. */
  request,
  /** ISO 8601, UTC, by the clock of this machine. */
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** The same by the service's clock; null if it sends none. */
  firstAnswerAt: z.iso.datetime().nullable(),
  lines: z.int().nonnegative(),
  /** Bytes of the lines, before compression. */
  bytes: z.int().nonnegative(),
  /** The file on disk, after compression. */
  file: z.object({ bytes: z.int().nonnegative(), sha256: z.string() }),
  completeness,
  notes: notes.omit({ firstAnswerAt: true }),
})

/** The part of it that a run needs. */
export const landing = landingManifest
  .omit({ kind: true, tool: true, finishedAt: true, lines: true, bytes: true })
  .extend({ request: request.pick({ filter: true, sourceIds: true }) })
