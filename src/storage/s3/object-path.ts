export interface ObjectAddress {
  readonly bucket: string
  readonly key: string
}

export function isObjectPath(path: string): boolean {
  return path.startsWith(scheme)
}

/** Splits `s3://bucket/prefix/products.parquet` into bucket and key. Throws TypeError for any other path. */
export function parseObjectPath(path: string): ObjectAddress {
  const { bucket, key } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.+)$/s.exec(path)?.groups ?? {}
  if (bucket === undefined || key === undefined)
    throw new TypeError(`expected a path such as s3://bucket/folder/file.parquet, got "${path}"`)
  return { bucket, key }
}

/** The problem of an `s3://` path, or of one of another storage; undefined for a valid one and for a local path. */
export function checkObjectPath(path: string): string | undefined {
  if (!isObjectPath(path))
    return /^[a-z][\w+.-]*:\/\//i.test(path)
      ? `expected a path on this machine or in an S3 bucket, s3://…, got "${path}"`
      : undefined
  const { bucket = '', key = '' } = /^s3:\/\/(?<bucket>[^/]*)\/?(?<key>.*)$/s.exec(path)?.groups ?? {}
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return `expected a bucket of 3 to 63 small letters, digits, "-" and "." after s3://, got "${bucket}"`
  if (key === '' || key.endsWith('/')) return `expected the path of a file in the bucket, got "${path}"`
  const parts = key.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return `expected folders with names between the slashes, got "${path}"`
  return undefined
}

export function formatObjectPath({ bucket, key }: ObjectAddress): string {
  return `${scheme}${bucket}/${key}`
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * The path of one run's version of a file: `products.run-4f…1c.parquet`. A storage without renames can't replace a set
 * of files at once. So every run has names of its own, and the manifest lists those that count.
 */
export function toRunPath(path: string, token: string): string {
  const name = nameOf(path)
  const dot = name.indexOf('.', 1)
  const [stem, extensions] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
  return `${folderOf(path)}/${stem}.run-${token}${extensions}`
}

/** True if `candidate` is `toRunPath(path)` of any run, in the same folder or one below. */
export function isRunPathOf(candidate: string, path: string): boolean {
  if (!isObjectPath(path) || !candidate.startsWith(`${folderOf(path)}/`)) return false
  const [token] = /\.run-(?<token>[\w-]+)/.exec(nameOf(candidate))?.slice(1) ?? []
  return token !== undefined && nameOf(candidate) === nameOf(toRunPath(path, token))
}

/**
 * The published objects that the next run of these outputs supersedes, as every run names its own. None on disk, where
 * files keep their names.
 */
export function listReplaced(published: readonly string[], outputs: readonly string[]): readonly string[] {
  return published.filter((path) => outputs.some((output) => isRunPathOf(path, output)))
}

const scheme = 's3://'
