import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { DatabaseUrl } from '../../../src/config/database-url.ts'

export interface CuttingProxy {
  /** The same database, through here. */
  readonly url: DatabaseUrl
  /** From now on: once a client has sent this, the answer is kept back and the connection cut. */
  cutAfter(text: string): void
  /** The same, and every later connection is cut, until `restore`. */
  cutForGoodAfter(text: string): void
  restore(): void
  stop(): Promise<void>
}

/** A proxy between a client and a PostgreSQL server on loopback that cuts the line at the worst time. */
export async function startCuttingProxy(behind: DatabaseUrl): Promise<CuttingProxy> {
  const url = new URL(behind.text)
  const { port, hostname } = url
  const sockets = new Set<Socket>()
  let wanted: string | null = null
  let isForGood = false
  let isDown = false
  const server = createServer((client) => {
    if (isDown) return void client.destroy()
    const database = connect(Number(port), hostname)
    let isCut = false
    for (const socket of [client, database]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (bytes) => {
      if (wanted !== null && bytes.includes(wanted)) {
        isCut = true
        isDown = isForGood
        wanted = null
      }
      database.write(bytes)
    })
    database.on('data', (bytes) => (isCut ? client.destroy() : client.write(bytes)))
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: new DatabaseUrl(url.href),
    cutAfter(text) {
      wanted = text
    },
    cutForGoodAfter(text) {
      wanted = text
      isForGood = true
    },
    restore() {
      isForGood = false
      isDown = false
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
