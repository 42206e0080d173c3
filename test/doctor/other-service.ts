import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts the service of `other-service.py` in a process of its own. */
export interface OtherService {
  /** Base URL of a service with one difference. */
  readonly addressOf: (difference: string) => string
  readonly close: () => Promise<void>
}

export async function startOtherService(): Promise<OtherService> {
  const child: ChildProcess = spawn('python3', [join(import.meta.dirname, 'other-service.py')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return {
    addressOf: (difference) => `http://127.0.0.1:${Number(String(port))}/${difference}`,
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
