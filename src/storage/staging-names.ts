import { basename, dirname, join } from 'node:path'

/** The run that owns a staged file, and its process. */
export interface StagingOwner {
  readonly pid: number
  /** Unique to the run; letters, digits, `_` and `-`. */
  readonly token: string
}

/**
 * `staging`: the new version. `backup`: the previous version, while the new one is published. `partial`: either,
 * incomplete.
 */
export type StagingKind = 'staging' | 'backup' | 'partial'

/** `<dir>/.<basename>.<pid>-<token>.staging` */
export function stagingPath(destination: string, { pid, token }: StagingOwner): string {
  if (!/^[\w-]+$/.test(token))
    throw new TypeError(`staging token: expected letters, digits, "_" and "-", got "${token}"`)
  return join(dirname(destination), `.${basename(destination)}.${pid}-${token}.staging`)
}

export function siblingPath(staging: string, kind: StagingKind): string {
  if (!staging.endsWith('.staging')) throw new TypeError(`staging path: expected "….staging", got "${staging}"`)
  return staging.slice(0, -'staging'.length) + kind
}

/** The destination's name for any staging, backup or partial name; undefined for other names. */
export function parseStagedDestination(name: string): string | undefined {
  return /^\.(.+)\.\d+-[\w-]+\.(?:staging|backup|partial)$/.exec(name)?.[1]
}

/** The owner of a staging, backup or partial file of the destination; undefined for other names. */
export function parseStagingName(name: string, destination: string): StagingOwner | undefined {
  const prefix = `.${basename(destination)}.`
  if (!name.startsWith(prefix)) return undefined
  const [, pid, token] = /^(\d+)-([\w-]+)\.(?:staging|backup|partial)$/.exec(name.slice(prefix.length)) ?? []
  return pid === undefined || token === undefined ? undefined : { pid: Number(pid), token }
}
