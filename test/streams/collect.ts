import { Readable, Writable, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** All results of the last stage for the input. Rejects with the error of the pipeline. */
export async function collect<Out>(input: Readable, ...stages: Duplex[]): Promise<Out[]> {
  const given: Out[] = []
  const sink = new Writable({
    objectMode: true,
    write(item: Out, _encoding, done) {
      given.push(item)
      done()
    },
  })
  await pipeline([input, ...stages, sink])
  return given
}

/** The text of stages that end in bytes. */
export async function collectText(input: Readable, ...stages: Duplex[]): Promise<string> {
  return Buffer.concat(await collect<Buffer>(input, ...stages)).toString()
}

export function toChunks(content: Buffer | string, chunkBytes = 65_536): Readable {
  const bytes = Buffer.from(content)
  function* cut(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  return Readable.from(cut(), { objectMode: false })
}
