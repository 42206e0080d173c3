import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { CatalogueError } from '../errors.ts'
import { nullIfMissing } from '../storage/file-system.ts'
import { missingReasons, type MissingReason } from './media-entry.ts'

/** `_media.json`: what a download left. It is renamed last, and with it the download is published. */
export interface MediaManifest {
  readonly kind: 'media'
  readonly format: 1
  readonly tool: { readonly name: string; readonly version: string }
  readonly pipeline: string
  readonly startedAt: string
  readonly finishedAt: string
  /** The run that listed the files: what it read, and the proof that it is complete. */
  readonly list: {
    readonly runId: string
    readonly contract: string
    readonly sources: readonly string[]
    readonly lines: number
    readonly rejected: number
    readonly completeness: string
  }
  readonly from: string
  readonly formats: readonly string[] | null
  /** Counts of files, each once. */
  readonly files: Readonly<Record<string, number>>
  /** Lines of `_media.ndjson`: a file of two records is in two. */
  readonly entries: {
    readonly path: string
    readonly lines: number
    readonly sha256: string
    readonly current: number
    readonly stale: number
    readonly missing: number
    /** Of those that are stale or missing. */
    readonly reasons: Readonly<Partial<Record<MissingReason, number>>>
  }
  /** Files of earlier downloads that were removed. */
  readonly removed: number
}

const published = z.object({ kind: z.literal('media'), pipeline: z.string() })

/**
 * Throws USAGE where a folder holds the files of another pipeline: what one of them no longer lists would be removed by the
 * other.
 */
export async function checkOwner(path: string, pipeline: string): Promise<void> {
  const text = await nullIfMissing(() => readFile(path, 'utf8'))
  if (text === null) return
  const manifest = published.safeParse(parse(text)).data
  if (manifest?.pipeline === pipeline) return
  const got = manifest === undefined ? "a manifest that can't be read" : `those of the pipeline ${manifest.pipeline}`
  throw new CatalogueError(
    'USAGE',
    `${path}: expected the files of the pipeline ${pipeline}, got ${got}: name a folder of its own with --to`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Counts in the order of the reasons, without those that did not happen. */
export function toReasonCounts(counts: ReadonlyMap<MissingReason, number>): Partial<Record<MissingReason, number>> {
  return Object.fromEntries(
    missingReasons.flatMap((reason) => (counts.has(reason) ? [[reason, counts.get(reason)]] : [])),
  )
}
