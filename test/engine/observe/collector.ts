import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What a collector does: answers 200, or 500; reads and never answers; answers, and never ends the answer; or does not
 * read what is sent.
 */
export type Behaviour = 'answers' | 'fails' | 'is silent' | 'never ends' | 'does not read'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly document: Readonly<Record<string, unknown>>
}

/** A real HTTP server that gets what runs report. */
export class Collector {
  readonly received: Received[] = []
  url = ''
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(behaviour: Behaviour) {
    this.#server = createServer((request, response) => {
      if (behaviour === 'does not read') return
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request
        const document = JSON.parse(Buffer.concat(chunks).toString()) as Received['document']
        this.received.push({ method, path, headers, document })
        if (behaviour === 'is silent') return
        response.writeHead(behaviour === 'fails' ? 500 : 200)
        if (behaviour === 'never ends') response.write('{')
        else response.end('{}')
      })
    })
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      if (behaviour === 'does not read') socket.pause()
    })
  }

  static async start(behaviour: Behaviour = 'answers'): Promise<Collector> {
    const collector = new Collector(behaviour)
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    collector.url = `http://127.0.0.1:${(collector.#server.address() as AddressInfo).port}`
    return collector
  }

  get documents(): Received['document'][] {
    return this.received.map(({ document }) => document)
  }

  async hasReceived(count: number): Promise<void> {
    while (this.received.length < count) await sleep(10)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
