import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runPipeline } from '../../../src/engine/run/run-pipeline.ts'

/**
 * A process that runs v4/products/stream to a CSV file on a disk where every write takes a while: `slow-disk-child.ts
 * BASE_URL FOLDER PAUSE_MS`. It prints `bytes` and a line break after every block, then the most memory that its buffers
 * had, after `peak `.
 */
const [baseUrl = '', folder = '', pauseMs = ''] = process.argv.slice(2)
const handle = await open(process.execPath)
const prototype = Object.getPrototypeOf(handle) as FileHandle
await handle.close()
prototype.write = new Proxy(Reflect.get(prototype, 'write'), {
  async apply(write, self, args: Parameters<FileHandle['write']>) {
    await sleep(Number(pauseMs))
    return Reflect.apply(write, self, args) as unknown
  },
})

let peak = 0
await runPipeline(
  {
    name: 'products',
    source: { endpoint: 'v4/products/stream', baseUrl, keyId: 'key', keySecret: 'secret' },
    tables: { products: { columns: ['id', 'name'] } },
    outputs: [{ format: 'csv', path: `${folder}/{table}.csv` }],
  },
  {
    onProgress: ({ bytes }) => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers)
      process.stdout.write(`${bytes}\n`)
    },
  },
)
process.stdout.write(`peak ${peak}\n`)
