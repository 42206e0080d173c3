import { appendFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { CatalogueError } from '../../../src/errors.ts'
import { isRunning } from '../../../src/storage/process-identity.ts'
import { Lease } from '../../../src/storage/s3/lease.ts'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient } from '../../../src/storage/s3/object-client.ts'

/**
 * A process that takes leases. `lease-child.ts race`: for each manifest on standard input it tries once, and prints `won`,
 * `lost` or why it failed. `lease-child.ts HOME PATH ROUNDS LIFE_MS`: takes the lease of one manifest again and again,
 * looks by the file PATH whether anybody else has it at the same time, and prints that; it kills itself after LIFE_MS.
 */
const [mode = '', path = '', rounds = '0', lifeMs = ''] = process.argv.slice(2)
const client = createObjectClient(await connectS3(process.env, 's3://warehouse'))
if (lifeMs !== '') await client.get('s3://warehouse/nothing')
if (lifeMs !== '') setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(lifeMs))

if (mode === 'race') {
  process.stdout.write('ready\n')
  for await (const home of createInterface({ input: process.stdin })) process.stdout.write(`${await tryOnce(home)}\n`)
  process.exit()
}
for (let round = 0; round < Number(rounds); round++) {
  const options = { subject: 'child', run: `${process.pid}-${round}`, waitMs: 120_000, termMs: 60_000 }
  const lease = await Lease.take(client, mode, options)
  await enter(`${process.pid} ${lease?.token}`)
  await appendFile(`${path}.log`, `${lease?.token}\n`)
  await sleep(Math.random() * 4)
  await rm(`${path}.held`)
  await lease?.confirm()
  await lease?.release()
}
process.exit()

async function tryOnce(home: string): Promise<string> {
  try {
    const run = `${process.pid}-${home.replaceAll(/\W/g, '-')}`
    const lease = await Lease.take(client, home, { subject: 'child', run, termMs: 60_000 })
    await lease?.confirm()
    return 'won'
  } catch (thrown) {
    if (!(thrown instanceof CatalogueError)) throw thrown
    return thrown.code === 'LOCKED' ? 'lost' : `failed: ${thrown.message}`
  }
}

/** Creates the file with its content: the process may be killed at any time. */
async function enter(content: string): Promise<void> {
  const own = `${path}.held-${process.pid}`
  await writeFile(own, content)
  try {
    await link(own, `${path}.held`)
    await rm(own)
  } catch {
    const [pid, token] = (await readFile(`${path}.held`, 'utf8')).split(' ').map(Number)
    if (await isRunning({ pid: pid ?? 0, startTicks: null })) process.stdout.write(`process ${pid} has it too; `)
    if ((token ?? 0) >= Number(content.split(' ')[1])) process.stdout.write(`token ${token} came before; `)
    await rename(own, `${path}.held`)
  }
}
