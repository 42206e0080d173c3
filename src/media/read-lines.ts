import { createReadStream } from 'node:fs'

export interface FileLine {
  readonly text: string
  readonly offset: number
}

/** Yields the lines that end in a line break, with their offsets. Yields nothing if there is no file. */
export async function* readLinesOf(path: string): AsyncGenerator<FileLine> {
  let rest: Buffer = Buffer.alloc(0)
  let offset = 0
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield { text: bytes.toString('utf8', start, end), offset: offset + start }
        start = end + 1
      }
      offset += start
      rest = bytes.subarray(start)
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
  }
}
