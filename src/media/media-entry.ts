import { z } from 'zod'
import { isFileName } from './file-name.ts'

export const missingReasons = [
  'no-address',
  'bad-address',
  'refused-address',
  'not-found',
  'refused',
  'not-media',
  'truncated',
  'too-large',
  'redirects',
  'timeout',
  'unreachable',
  'failed',
] as const

export type MissingReason = (typeof missingReasons)[number]

export const storedFile = z.object({
  file: z.string().refine(isFileName),
  sha256: z.string(),
  bytes: z.number(),
  contentType: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  /** The address without its query, which may be a signature. */
  url: z.string(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
})

export type StoredFile = z.output<typeof storedFile>

/** A line of `_media.ndjson`. */
export const mediaEntry = z.object({
  record: z.string(),
  id: z.string(),
  format: z.string().nullable(),
  locale: z.string().nullable(),
  /** `stale`: the file of an earlier download, as the current one failed. */
  status: z.enum(['current', 'stale', 'missing']),
  ...storedFile.partial().shape,
  reason: z.enum(missingReasons).optional(),
  detail: z.string().optional(),
})

export type MediaEntry = z.output<typeof mediaEntry>

export function toStored(entry: unknown): StoredFile | null {
  return storedFile.safeParse(entry).data ?? null
}

/** Removes user, query and fragment from an address: they may hold secrets. */
export function redactAddress(url: string): string {
  if (!URL.canParse(url)) return url.slice(0, 200).replace(/[?#].*$/s, '')
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
