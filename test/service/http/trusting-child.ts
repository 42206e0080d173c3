import { text } from 'node:stream/consumers'
import { createTestClient } from '../read/service-stub.ts'

/** Asks each address in the arguments, trusting what NODE_EXTRA_CA_CERTS names; writes the answers or failures as JSON. */
const outcomes: unknown[] = []
for (const baseUrl of process.argv.slice(2)) {
  const client = createTestClient(baseUrl, { retries: 0 })
  try {
    const { body } = await client.open({ method: 'GET', path: '/v3/brands/all' })
    outcomes.push(await text(body))
  } catch (error) {
    const { code, message } = error as Error & { readonly code: string }
    outcomes.push(`${code} ${message}`)
  }
  await client.close()
}
process.stdout.write(JSON.stringify(outcomes))
