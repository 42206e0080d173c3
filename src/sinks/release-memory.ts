import { MessageChannel } from 'node:worker_threads'

/**
 * Gives the memory of bytes back at once, where they are all of a buffer: they are empty from then on. The collector
 * finds buffers late, as it hardly sees their size: of 1.9 GB to three formats of all fields it let 50 MB of written
 * pieces stand, and a run took a tenth more CPU.
 */
export function createMemoryRelease(): (bytes: Uint8Array) => void {
  const { port1, port2 } = new MessageChannel()
  // What is transferred to a closed port is dropped.
  port2.close()
  return ({ buffer, byteLength }) => {
    if (byteLength < leastBytes || byteLength < buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
    port1.postMessage(null, [buffer])
  }
}

/** For less, a call costs more than it gives. */
const leastBytes = 4096
