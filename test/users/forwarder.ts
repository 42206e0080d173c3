import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Forwards to a service and withholds some of its answers, though their requests were fulfilled. */
export class Forwarder {
  readonly #target: string
  readonly #server = createServer((request, response) => void this.#forward(request, response))
  #toSwallow: { readonly path: string; times: number } = { path: '', times: 0 }
  #onFulfilled: (path: string) => void = () => undefined

  static async start(target: string): Promise<Forwarder> {
    const forwarder = new Forwarder(target)
    await new Promise<void>((resolve) => forwarder.#server.listen(0, '127.0.0.1', resolve))
    return forwarder
  }

  private constructor(target: string) {
    this.#target = target
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Cuts the connection in place of the next answers for this path. */
  swallow(path: string, times: number): void {
    this.#toSwallow = { path, times }
  }

  /** Called once the service has answered, before the answer is passed on. */
  onFulfilled(listener: (path: string) => void): void {
    this.#onFulfilled = listener
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' }
    const answer = await fetch(this.#target + path, { method: 'POST', headers, body: await buffer(request) })
    const body = Buffer.from(await answer.arrayBuffer())
    this.#onFulfilled(path)
    const swallowed = this.#toSwallow
    if (swallowed.path === path && swallowed.times > 0) {
      swallowed.times--
      response.destroy()
      return
    }
    const retryAfter = answer.headers.get('retry-after')
    response.writeHead(answer.status, retryAfter === null ? {} : { 'retry-after': retryAfter }).end(body)
  }
}
