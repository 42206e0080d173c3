/* Preloaded with --import: worker threads, which inherit it, end when they get a block, as END_WORKER says. */
import { isMainThread } from 'node:worker_threads'

const ways = {
  exit: () => process.exit(7),
  throw: () => {
    throw new TypeError('a defect')
  },
  memory: () => {
    // Copies of an array fill the heap ten times as fast as arrays that are computed.
    const piece = Array.from({ length: 1_000_000 }, () => 1.5)
    const kept = []
    for (;;) kept.push([...piece])
  },
}
const from = Buffer.from.bind(Buffer)
if (!isMainThread) {
  // The memory of row groups begins with two pages, and grows with the first group.
  let isBegun = false
  Buffer.from = (...args) => {
    if (args[0] instanceof SharedArrayBuffer) {
      if (isBegun && args[0].byteLength > 1_000_000) ways[process.env.END_WORKER]()
      isBegun ||= args[0].byteLength <= 131_072
    }
    return from(...args)
  }
}
