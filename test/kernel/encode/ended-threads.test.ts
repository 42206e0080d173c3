import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { BuiltCli } from '../../cli/built-cli.ts'
import { cases } from '../../depth.ts'
import { RunFolder } from '../../engine/run-folder.ts'

let folder: RunFolder

beforeAll(async () => void (folder = await RunFolder.create()))
afterAll(() => folder.remove())

const run = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.library).then(({ runPipeline }) =>
  runPipeline(workerData.config, { workers: 3, onProgress: () => parentPort.postMessage('read') }))
`

test('a thread of JavaScript that ends while threads of the kernel work leaves the process as it is', async () => {
  const cli = await BuiltCli.build()
  const products = Buffer.concat([...generateLines({ contract: 'v4/product', records: 2500, seed: 9 })])
  const file = join(folder.path, 'products.ndjson')
  await writeFile(file, products)
  const library = pathToFileURL(join(cli.path, '../bundle/index.js')).href
  for (let round = 0; round < cases(40, 2); round++) {
    // The lock of a run outlives its thread.
    const outputs = [{ format: 'parquet', path: join(folder.out, `${round}/{table}.parquet`) }]
    const config = { name: 'ended', source: { files: file, contract: 'v4/product' }, outputs }
    const worker = new Worker(run, { eval: true, workerData: { library, config } })
    const failed = new Promise((_, reject) => worker.on('error', reject))
    await Promise.race([new Promise((resolve) => worker.once('message', resolve)), failed])
    await sleep(((round * 7) % 20) * 2)
    // It is 0 for a run that has ended already.
    expect(await worker.terminate()).toBe(1)
  }
}, 120_000)
