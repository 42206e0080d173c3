import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface ConnectProxy {
  readonly port: number
  /** The address that it was asked to connect to, or the address of a request to forward, with the headers of the request. */
  readonly asked: readonly { readonly target: string | undefined; readonly authorization: string | undefined }[]
  [Symbol.asyncDispose](): Promise<void>
}

/** A proxy on loopback that opens tunnels and forwards requests, all to one place whatever it is asked for; or refuses to. */
export async function startConnectProxy(to: string, status = 200): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'][number][] = []
  const open = new Set<Duplex>()
  const server = createServer((request, response) => {
    const { 'proxy-authorization': authorization, ...headers } = request.headers
    asked.push({ target: request.url, authorization })
    if (status !== 200) return void response.writeHead(status).end()
    const { method = '', url = '' } = request
    const path = new URL(url).pathname
    const passed = forward(to, { method, path, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
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
