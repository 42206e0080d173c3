import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { startCpuTime } from './cpu-time.ts'
import { makingMs } from './make-once.ts'

/* Measures the CPU time of a test file for `cpu-reporter.ts`. */

declare module 'vitest' {
  interface TaskMeta {
    cpu?: FileCpu
  }
}

interface FileCpu {
  /** Of its tests and the processes that they waited for, without what is made once for all files. */
  readonly ms: number
  /** Of the same piece of work for every file: what the machine was worth at that time. */
  readonly referenceMs: number
}

// Otherwise the first file of a process pays for what all of them import.
await import('../src/index.ts')
await import('../src/streams.ts')
await import('../src/sandbox.ts')
await import('../src/cli/run-cli.ts')
await import('@duckdb/node-api')
await import('fast-check')

const ownMs = startCpuTime()
const [childrenMs, madeMs] = [readChildrenMs(), makingMs()]

// oxlint-disable-next-line no-empty-pattern -- vitest wants a pattern
afterAll(({}, file) => {
  const ms = ownMs() + readChildrenMs() - childrenMs - (makingMs() - madeMs)
  file.meta.cpu = { ms, referenceMs: measureReference() }
})

/** CPU time of the processes that this one has waited for; 0 where there is no /proc. */
function readChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // In hundredths of a second; after the name of the program, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

function measureReference(): number {
  const ms = startCpuTime()
  const record = {
    id: 'M1',
    name: { nl: 'é'.repeat(100), fr: null },
    prices: Array.from({ length: 200 }, (_, at) => at / 8),
  }
  for (let round = 0; round < 100; round++) JSON.parse(JSON.stringify(record))
  return ms()
}
