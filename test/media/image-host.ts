import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeJpeg } from '../../src/sandbox/images/encode-image.ts'

export type AnswerFile = (response: ServerResponse, request: IncomingMessage, turn: number) => void

/** A host of images with answers by path, which records its requests. */
export class ImageHost {
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = []
  readonly #server
  readonly #answers = new Map<string, AnswerFile>()

  private constructor() {
    this.#server = createServer((request, response) => {
      const { url = '', headers } = request
      this.requests.push({ path: url, headers })
      const path = url.replace(/\?.*/, '')
      const turn = this.requests.filter((each) => each.path.replace(/\?.*/, '') === path).length
      const answer = this.#answers.get(path)
      if (answer === undefined) response.writeHead(404).end()
      else answer(response, request, turn)
    })
  }

  static async start(): Promise<ImageHost> {
    const host = new ImageHost()
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve))
    return host
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  on(path: string, answer: AnswerFile): string {
    this.#answers.set(path, answer)
    return this.url + path
  }

  /** Serves bytes as an image and returns its address. */
  serve(path: string, bytes: Buffer = jpeg(path), headers: Record<string, string> = {}): string {
    return this.on(path, (response) => response.writeHead(200, { 'content-type': 'image/jpeg', ...headers }).end(bytes))
  }

  countOf(path: string): number {
    return this.requests.filter((request) => request.path === path).length
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** A valid JPEG that is different for each name. */
export function jpeg(name: string, width = 64, height = 48): Buffer {
  return encodeJpeg({ width, height, seed: Buffer.from(name.padEnd(8, '.')).toString('hex').slice(-16) })
}
