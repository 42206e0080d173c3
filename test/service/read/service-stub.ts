import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createRequestBudget } from '../../../src/service/http/request-budget.ts'
import { createServiceClient, type ServiceClientOptions } from '../../../src/service/http/service-client.ts'
import { FakeClock } from '../http/fake-clock.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => unknown

/** A real server on loopback that gives one answer after the other; the last one again and again. */
export class ServiceStub {
  readonly requests: ReceivedRequest[] = []
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  #answers: readonly Answer[] = []

  static async start(...answers: Answer[]): Promise<ServiceStub> {
    const stub = new ServiceStub()
    stub.#answers = answers
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve))
    return stub
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The answers from now on. */
  answerWith(...answers: Answer[]): void {
    this.#answers = answers
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const received = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    }
    this.requests.push(received)
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length) - 1]
    response.on('error', () => undefined)
    await answer?.(response, received)
  }
}

export const keyId = 'key-0815'
export const keySecret = 's3cret/with+signs'

/** A client of the stub whose waits take no time. */
export function createTestClient(baseUrl: string, options: Partial<ServiceClientOptions> = {}) {
  const clock = options.clock ?? new FakeClock()
  const budget = createRequestBudget({ clock })
  return createServiceClient({ baseUrl, keyId, keySecret, budget, clock, random: () => 0.5, ...options })
}

export function answerJson(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(JSON.stringify(body))
}

export function answerText(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body)
}

/** Lines of 5 kB, as fast as they are taken. */
export function answerMany(total: number, onWrite: (bytes: number) => void = () => undefined): Answer {
  const prose = 'Lorem ipsum dolor sit amet '.repeat(190)
  return async (response) => {
    let written = 0
    for (let index = 0; index < total; index++) {
      const line = `{"meta":{"total":${total},"index":${index}},"result":{"id":"M${index}E","name":{"nl":"${prose}"}}}\n`
      written += line.length
      onWrite(written)
      if (!response.write(line)) await new Promise((resolve) => response.once('drain', resolve))
    }
    response.end()
  }
}

/** Cuts the connection without a word. */
export const reset: Answer = (response) => response.destroy()
