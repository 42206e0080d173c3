import type { ResourceLimits, Worker } from 'node:worker_threads'

/* The library for bundlers has another module in place of this one: see build/portable.ts. */

/** Starts a thread of `encode-worker.ts`. Its module is loaded for the first one: a small run has none. */
export function startWorker(resourceLimits: ResourceLimits): Worker {
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads')
  return new Thread(workerEntry, { resourceLimits })
}

const entryName = import.meta.url.endsWith('.ts') ? 'encode-worker-source.mjs' : 'encode-worker.js'
const workerEntry = new URL(entryName, import.meta.url)
