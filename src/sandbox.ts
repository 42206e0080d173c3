/**
 * A stand-in of the service for tests, over generated data (docs/sandbox.md):
 *
 *     const sandbox = await startSandbox({ products: 500, rateLimit: false })
 *     sandbox.inject({ endpoint: 'v4/products/stream', fault: 'cut=120' })
 *     // … read sandbox.baseUrl with sandbox.keyId and sandbox.keySecret …
 *     await sandbox.close()
 */
export type { SandboxChange } from './sandbox/days/product-days.ts'
export type { InjectOptions } from './sandbox/server/fault-queue.ts'
export type { SandboxRequest } from './sandbox/server/request-log.ts'
export type { SandboxOptions } from './sandbox/sandbox-options.ts'
export { startSandbox, type Sandbox } from './sandbox/start-sandbox.ts'
