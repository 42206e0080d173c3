import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { siblingPath, stagingPath } from '../staging-names.ts'

/**
 * `<dir>/.<basename>.lock` beside a file. For what is no file of this machine (`s3://…`) in the folder for temporary
 * files: it keeps runs of one machine apart, those of several are kept apart by whoever starts them.
 */
export function lockPathFor(path: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return join(dirname(path), `.${basename(path)}.lock`)
  const name = createHash('sha256').update(path).digest('hex').slice(0, 24)
  return join(tmpdir(), `.catalogue-etl-${name}.lock`)
}

/** Who waits for a lock, or had it. */
interface NameOwner {
  readonly pid: number
  readonly run: string
}

/** Where a run writes what is to become the lock. Of a killed run `clearStaleStaging` clears it. */
export function candidatePath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_lock`)
}

/** Who takes over the lock of a dead run takes this name first, which only one can. Cleared in the same way. */
export function heirPath(lockPath: string, { pid, run }: NameOwner): string {
  return partialPath(lockPath, pid, `${run}_heir`)
}

/** The partial name, for a run, of the file that is locked. */
function partialPath(lockPath: string, pid: number, token: string): string {
  const locked = join(dirname(lockPath), basename(lockPath).replace(/^\.|\.lock$/g, ''))
  return siblingPath(stagingPath(locked, { pid, token }), 'partial')
}
