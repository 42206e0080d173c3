import { MessageChannel } from 'node:worker_threads'

const { port1, port2 } = new MessageChannel()
// Buffers transferred to a closed port are dropped.
port2.close()

/**
 * Frees the memory of bytes at once where they are all of a buffer; they are empty from then on. The garbage collector
 * finds buffers late, as it hardly sees their size.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) port1.postMessage(null, [buffer])
}
