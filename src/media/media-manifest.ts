import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { DeepReadonly } from '../manifest/manifest.ts'
import { tryJson } from '../manifest/try-json.ts'
import { CatalogueError } from '../errors.ts'
import { nullIfMissing } from '../storage/file-system.ts'
import { missingReasons, type MissingReason } from './media-entry.ts'

/** `_media.json`. Renaming it last publishes a download. */
const mediaManifest = z.object({
  kind: z.literal('media'),
  format: z.literal(1),
  tool: z.object({ name: z.string(), version: z.string() }),
  pipeline: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  /** The run that listed the files. */
  list: z.object({
    runId: z.string(),
    contract: z.string(),
    sources: z.array(z.string()),
    lines: z.number(),
    rejected: z.number(),
    completeness: z.string(),
  }),
  from: z.string(),
  formats: z.array(z.string()).nullable(),
  files: z.record(z.string(), z.number()),
  /** Lines of `_media.ndjson`: a file of two records has two. */
  entries: z.object({
    path: z.string(),
    lines: z.number(),
    sha256: z.string(),
    current: z.number(),
    stale: z.number(),
    missing: z.number(),
    reasons: z.partialRecord(z.enum(missingReasons), z.number()),
  }),
  removed: z.number(),
})

export type MediaManifest = DeepReadonly<z.output<typeof mediaManifest>>

const published = mediaManifest.pick({ kind: true, pipeline: true })

/** Throws USAGE if a folder holds the files of another pipeline: each download removes files that it does not list. */
export async function checkOwner(path: string, pipeline: string): Promise<void> {
  const text = await nullIfMissing(() => readFile(path, 'utf8'))
  if (text === null) return
  const manifest = published.safeParse(tryJson(text)).data
  if (manifest?.pipeline === pipeline) return
  const found =
    manifest === undefined
      ? "this manifest can't be read"
      : `this folder has the files of the pipeline ${manifest.pipeline}, not of ${pipeline}`
  throw new CatalogueError('USAGE', `${path}: ${found}. Name another folder with --to.`)
}

/** Orders counts like the reasons, without zeros. */
export function toReasonCounts(counts: ReadonlyMap<MissingReason, number>): Partial<Record<MissingReason, number>> {
  return Object.fromEntries(
    missingReasons.flatMap((reason) => (counts.has(reason) ? [[reason, counts.get(reason)]] : [])),
  )
}
