import { endpoints } from '../../../src/service/endpoints/endpoints.ts'
import { findProxy } from '../../../src/service/http/service-proxy.ts'
import { createServiceSource } from '../../../src/service/read/service-source.ts'
import { createTestClient } from '../read/service-stub.ts'

/** Reads a stream of a service through a proxy, and writes the code of the error that this ends with. */
const [, , baseUrl = '', port = ''] = process.argv
const address = `http://127.0.0.1:${port}`
const client = createTestClient(baseUrl, {
  proxy: findProxy(baseUrl, { HTTP_PROXY: address, HTTPS_PROXY: address }),
  retries: 1,
})
const source = createServiceSource(endpoints['v4/products/stream'], { filter: {}, sorting: null, page: null }, client, {
  maxLineBytes: 1_000_000,
  incomplete: 'fail',
  now: Date.UTC(2026, 0, 1),
})
try {
  for await (const { bytes } of source.read(new AbortController().signal).blocks) process.stdout.write(bytes)
} catch (error) {
  process.stdout.write(String((error as { readonly code?: unknown }).code))
}
await client.close()
