import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ConnectProxy {
  readonly port: number
  /** What it was asked to connect to, with the headers of the request. */
  readonly asked: readonly { readonly target: string | undefined; readonly authorization: string | undefined }[]
  [Symbol.asyncDispose](): Promise<void>
}

/** A proxy on loopback that opens tunnels, all of them to one place whatever they are asked for; or refuses to. */
export async function startConnectProxy(to: string, status = 200): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'][number][] = []
  const open = new Set<Duplex>()
  const server = createServer()
  server.on('connect', (request: IncomingMessage, client: Duplex): void => {
    asked.push({ target: request.url, authorization: request.headers['proxy-authorization'] })
    open.add(client)
    client.on('error', () => undefined)
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const service = connect(Number(new URL(to).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      service.pipe(client).pipe(service)
    })
    open.add(service)
    service.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
