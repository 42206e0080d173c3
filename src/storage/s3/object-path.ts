export interface ObjectAddress {
  readonly bucket: string
  readonly key: string
}

/** True for a path such as `s3://…`, which is not one of this machine. */
export function isObjectPath(path: string): boolean {
  return path.startsWith(scheme)
}

/** `s3://bucket/prefix/products.parquet` in its parts; a TypeError for anything else. */
export function parseObjectPath(path: string): ObjectAddress {
  const { bucket, key } = /^s3:\/\/(?<bucket>[^/]+)\/(?<key>.+)$/s.exec(path)?.groups ?? {}
  if (bucket === undefined || key === undefined)
    throw new TypeError(`expected a path such as s3://bucket/folder/file.parquet, got "${path}"`)
  return { bucket, key }
}

/** The problem of a path that starts with `s3://`; undefined for a sound one, and for one of this machine. */
export function checkObjectPath(path: string): string | undefined {
  if (!isObjectPath(path)) return undefined
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

/** `s3://bucket/prefix` of `s3://bucket/prefix/products.parquet`. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** `products.parquet` of `s3://bucket/prefix/products.parquet`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * The path that one run's version of a file has: `products.run-4f…1c.parquet`. A storage without renames can't put a set
 * of files in place at once under names that are taken: so every run has names of its own, and the manifest lists those that count.
 */
export function toRunPath(path: string, token: string): string {
  const name = nameOf(path)
  const dot = name.indexOf('.', 1)
  const [stem, extensions] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
  return `${folderOf(path)}/${stem}.run-${token}${extensions}`
}

/** True for `toRunPath` of an object for any run, in the same folder or one below. */
export function isRunPathOf(candidate: string, path: string): boolean {
  if (!isObjectPath(path) || !candidate.startsWith(`${folderOf(path)}/`)) return false
  const [token] = /\.run-(?<token>[\w-]+)/.exec(nameOf(candidate))?.slice(1) ?? []
  return token !== undefined && nameOf(candidate) === nameOf(toRunPath(path, token))
}

/**
 * The objects among the published paths that the next run of these outputs replaces, as every run has names of its own.
 * None on disk, where files keep their names.
 */
export function listReplaced(published: readonly string[], outputs: readonly string[]): readonly string[] {
  return published.filter((path) => outputs.some((output) => isRunPathOf(path, output)))
}

const scheme = 's3://'
