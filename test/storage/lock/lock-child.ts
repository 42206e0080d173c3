import { appendFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeFileLock } from '../../../src/storage/lock/file-lock.ts'
import { isRunning } from '../../../src/storage/process-identity.ts'

/**
 * A process that takes a lock again and again: `lock-child.ts PATH ROUNDS LIFE_MS`. It looks itself whether anybody else
 * has it at the same time, and prints that; with LIFE_MS it kills itself after so long, wherever it is. With 0 rounds it says
 * `held` once it has the lock, and keeps it.
 */
const [path = '', rounds = '0', lifeMs = ''] = process.argv.slice(2)
if (lifeMs !== '') setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(lifeMs))

if (rounds === '0') {
  await take('only')
  process.stdout.write('held')
  setInterval(() => undefined, 1000)
}
for (let round = 0; round < Number(rounds); round++) {
  const lock = await take(`${round}`)
  await enter()
  await appendFile(`${path}.log`, 'x')
  await sleep(Math.random() * 4)
  await rm(`${path}.held`)
  await lock.confirm()
  await lock.release()
}

function take(round: string) {
  return takeFileLock(path, { subject: 'child', run: `${process.pid}-${round}`, waitMs: 60_000 })
}

/** Creates the file with its content: the process may be killed at any time. */
async function enter(): Promise<void> {
  const own = `${path}.held-${process.pid}`
  await writeFile(own, `${process.pid}`)
  try {
    await link(own, `${path}.held`)
    await rm(own)
  } catch {
    const pid = Number(await readFile(`${path}.held`, 'utf8'))
    if (await isRunning({ pid, startTicks: null })) process.stdout.write(`process ${pid} has it too; `)
    await rename(own, `${path}.held`)
  }
}
