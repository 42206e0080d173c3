import { basename, dirname, join } from 'node:path'

/** The owner of a file under a staging name: one run of a process. */
export interface StagingOwner {
  readonly pid: number
  /** Unique to the run: letters, digits, `_` and `-`. */
  readonly token: string
}

/** `staging`: the new version. `backup`: the one before, while the new one is published. `partial`: either, half made. */
export type StagingKind = 'staging' | 'backup' | 'partial'

/** `<dir>/.<basename>.<pid>-<token>.staging` */
export function stagingPath(destination: string, { pid, token }: StagingOwner): string {
  if (!/^[\w-]+$/.test(token))
    throw new TypeError(`staging token: expected letters, digits, "_" and "-", got "${token}"`)
  return join(dirname(destination), `.${basename(destination)}.${pid}-${token}.staging`)
}

/** The name of another kind for the same destination and owner. */
export function siblingPath(staging: string, kind: StagingKind): string {
  if (!staging.endsWith('.staging')) throw new TypeError(`staging path: expected "….staging", got "${staging}"`)
  return staging.slice(0, -'staging'.length) + kind
}

/** The name of the destination when `name` is a staging, backup or partial name of any. */
export function parseStagedDestination(name: string): string | undefined {
  return /^\.(.+)\.\d+-[\w-]+\.(?:staging|backup|partial)$/.exec(name)?.[1]
}

/** The owner of a file when `name` is a staging, backup or partial name of the destination. */
export function parseStagingName(name: string, destination: string): StagingOwner | undefined {
  const prefix = `.${basename(destination)}.`
  if (!name.startsWith(prefix)) return undefined
  const [, pid, token] = /^(\d+)-([\w-]+)\.(?:staging|backup|partial)$/.exec(name.slice(prefix.length)) ?? []
  return pid === undefined || token === undefined ? undefined : { pid: Number(pid), token }
}
