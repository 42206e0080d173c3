import type { MessagePort } from 'node:worker_threads'

/**
 * Frees memory at once, if the bytes are the whole of their buffer; they are empty afterwards. The garbage collector
 * frees buffers late, as it hardly sees their size.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) (dropped ??= openDrop()).postMessage(null, [buffer])
}

let dropped: MessagePort | undefined

/** A closed port drops the buffers that are transferred to it. */
function openDrop(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  return port1
}
