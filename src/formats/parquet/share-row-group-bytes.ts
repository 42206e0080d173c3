/**
 * What a row group of each Parquet file of a run may take, as record batches. Encoding one of 8 MiB takes 11 to 24 MB of
 * memory in its thread; the files that are waiting for theirs to be complete together hold at most 48 MiB, or 1 MiB each.
 */
export function shareRowGroupBytes(files: number): number {
  return Math.max(mebibyte, Math.min(8 * mebibyte, Math.floor((48 * mebibyte) / files)))
}

const mebibyte = 1024 * 1024
