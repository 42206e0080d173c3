import type { MessagePort } from 'node:worker_threads'

/**
 * Frees the memory of bytes at once where they are all of a buffer; they are empty from then on. The garbage collector
 * finds buffers late, as it hardly sees their size.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) (dropped ??= openDrop()).postMessage(null, [buffer])
}

let dropped: MessagePort | undefined

/** Buffers that are transferred to a closed port are dropped. */
function openDrop(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
