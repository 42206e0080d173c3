import { MessageChannel } from 'node:worker_threads'

const { port1, port2 } = new MessageChannel()
// What is transferred to a closed port is dropped.
port2.close()

/**
 * Gives the memory of bytes back at once, where they are all of a buffer: they are empty from then on. The collector
 * finds buffers late, as it hardly sees their size.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) port1.postMessage(null, [buffer])
}
