import { closeSync, openSync, readSync } from 'node:fs'
import { countOneByOne } from '../../records/memory/block-buffers.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { ObjectReader } from '../../storage/s3/object-reader.ts'
import type { Segment, Shard } from '../shard-plan.ts'

/**
 * Changes the number of a line within its range to that in its file. The lines before the range are counted only now:
 * only a lasting failure is worth the reading.
 */
export async function locateInFile(message: string, { segments }: Shard, objects: ObjectReader): Promise<string> {
  const range = segments.find(({ name, from }) => from > 0 && message.startsWith(`${name}, line `))
  if (range === undefined) return message
  const beginning = `${range.name}, line `
  const [line = ''] = /^\d+/.exec(message.slice(beginning.length)) ?? []
  const before = isObjectPath(range.path) ? await countInObject(range, objects) : countLinesBefore(range)
  if (line === '' || before === null) return message
  return `${beginning}${before + Number(line)}${message.slice(beginning.length + line.length)}`
}

function countLinesBefore({ path, from }: Segment): number | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let lines = 0
    for (let at = 0; at < from;) {
      const bytes = readSync(file, buffer, 0, Math.min(chunkBytes, from - at), at)
      if (bytes === 0) return null
      lines += countOneByOne(buffer.subarray(0, bytes))
      at += bytes
    }
    return lines
  } catch {
    // The message stays as it is.
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}

async function countInObject({ path, from, etag }: Segment, objects: ObjectReader): Promise<number | null> {
  try {
    const object = await objects.find(path)
    if (object === null || (etag !== undefined && object.etag !== etag)) return null
    let lines = 0
    const { signal } = new AbortController()
    for await (const chunk of objects.read(object, { until: from, signal })) lines += countOneByOne(chunk)
    return lines
  } catch {
    // The message stays as it is.
    return null
  }
}

const chunkBytes = 1024 * 1024
