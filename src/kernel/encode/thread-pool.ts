import { chooseKernel } from '../../records/memory/load-kernel.ts'
import { KernelThreads } from '../../records/memory/kernel-threads.ts'
import type { MemorySpace } from '../../records/memory/memory-space.ts'
import type { RowCounts } from '../profile/column-counts.ts'
import { type BlockEncoding, compileGroupEncoding, createEncoding, type EncodeGroup } from './encode-block.ts'
import { toKernelFormat } from './encode-fast.ts'
import { type EncodePool, mostBytesToGrow, workersAtOnce } from './worker-pool.ts'
import type { CompiledEncoding } from './encoding-plan.ts'

/**
 * True if native code does all work on the blocks of a plan, so that JavaScript is needed only for lines that break
 * their contract.
 */
export function runsInThreads({ scan, files, rules = [] }: CompiledEncoding): boolean {
  return (
    (scan?.walked ?? null) !== null &&
    rules.length === 0 &&
    chooseKernel().target === 'native' &&
    files.every(({ format }) => (format.format === 'parquet' ? isOfKernel(format.compression) : toKernelFormat(format)))
  )
}

function isOfKernel(compression: string): boolean {
  return compression === 'zstd' || compression === 'none'
}

/** Has threads of native code encode. They have no JavaScript: what it has to do with a block is done in this thread. */
export function openThreadPool(threads: KernelThreads, count: number): EncodePool {
  const most = count + blocksThatWait
  const encodings: BlockEncoding[] = []
  const free: BlockEncoding[] = []
  const waiting: ((encoding: BlockEncoding) => void)[] = []
  let open: () => Promise<BlockEncoding>
  let encodeGroup: EncodeGroup
  /** How many are open or being opened. Each takes a block at a time, and memory of its own, as a worker does. */
  let opening = 0

  /** How many blocks may be in work. Runs that share the threads share them equally, and each has one. */
  const share = (): number => Math.ceil(most / threads.users)
  const inWork = (): number => opening - free.length

  async function take(): Promise<BlockEncoding> {
    const encoding = inWork() < share() ? free.pop() : undefined
    if (encoding !== undefined) return encoding
    const isFull = opening > workersAtOnce && process.memoryUsage.rss() > mostBytesToGrow
    if (opening >= share() || isFull) return new Promise((resolve) => waiting.push(resolve))
    opening++
    const opened = await open()
    encodings.push(opened)
    return opened
  }

  function giveBack(encoding: BlockEncoding): void {
    const next = inWork() > share() ? undefined : waiting.shift()
    if (next === undefined) free.push(encoding)
    else next(encoding)
  }

  return {
    start(plan: CompiledEncoding, space: MemorySpace) {
      open = () => createEncoding(plan, space, threads)
      encodeGroup = compileGroupEncoding(plan, threads)
    },
    get ahead() {
      return share() + 2
    },
    isReady: true,
    takesBlock: () => true,
    async encodeBlock(...block) {
      const encoding = await take()
      try {
        return await encoding.encodeBlock(...block)
      } finally {
        giveBack(encoding)
      }
    },
    encodeGroup: (file, group) => encodeGroup(file, group),
    collectCounts: async (): Promise<readonly RowCounts[]> => encodings.map((encoding) => encoding.collectCounts()),
    close: () => threads.close(),
  }
}

/** So that no thread waits while this one is busy. */
const blocksThatWait = 1
