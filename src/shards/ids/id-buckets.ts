/** A file of the input, as far as the number of its ids can be guessed. */
export interface SizedFile {
  readonly size: number
  readonly hasLines: boolean
}

/**
 * The number of buckets over which ids are shared out by their hash, so that those of one bucket take about 64 MB: a power
 * of two. It follows from the sizes of the files alone.
 */
export function chooseIdBuckets(files: readonly SizedFile[]): number {
  const bytes = files.reduce((sum, { size, hasLines }) => sum + (hasLines ? size : size * mostCompression), 0)
  const wanted = ((bytes / leastRecordBytes) * idBytes) / bucketBytes
  return Math.min(mostBuckets, 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(1, wanted)))))
}

const mostCompression = 10
const leastRecordBytes = 500
const idBytes = 40
const bucketBytes = 64 * 1024 * 1024
const mostBuckets = 4096
