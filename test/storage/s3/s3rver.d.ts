declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Context {
    readonly method: string
    readonly path: string
    readonly params: Record<string, string>
    readonly query: Record<string, string | undefined>
    req: IncomingMessage
    readonly request: { readonly req: IncomingMessage }
    readonly res: ServerResponse
    readonly response: { readonly header: import('node:http').OutgoingHttpHeaders }
    status: number
    type: string
    body: unknown
    respond?: boolean
  }

  type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>

  export default class S3rver {
    constructor(options: Record<string, unknown>)
    readonly middleware: Middleware[]
    readonly httpServer: import('node:http').Server
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }
}
