import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpointNames, endpoints, type EndpointName } from '../../../src/api/endpoints.ts'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import { ask } from '../ask-sandbox.ts'
import { dialects } from '../dialects.ts'

describe.each(dialects)('in the dialect %s', (dialect) => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ products: 120, rateLimit: false, dialect })
  })

  afterAll(() => sandbox.close())

  test.each(endpointNames.filter((name) => endpoints[name].read !== 'find'))(
    '%s answers with records',
    async (name) => {
      const response = await ask(sandbox, name, toRequest(name))
      expect(response.status).toBe(200)
      expect((await response.text()).length).toBeGreaterThan(100)
    },
  )
})

function toRequest(name: EndpointName) {
  const { method, filter, page } = endpoints[name]
  if (method === 'GET') return {}
  if (filter !== 'required') return { body: {} }
  return { body: { filter: {}, sorting: { id: 'ASC' }, ...(page === 'required' && { page: {} }) } }
}
