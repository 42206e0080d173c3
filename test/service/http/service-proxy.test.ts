import { execFile } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { inspect, promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { checkProxy, findProxy } from '../../../src/service/http/service-proxy.ts'
import { buildChild } from '../../built-child.ts'
import { startConnectProxy } from './connect-proxy.ts'
import { answerText, createTestClient, keyId, keySecret, ServiceStub } from '../read/service-stub.ts'

const service = 'https://api.example.com/base'
const proxy = 'http://proxy.example.com:3128'

describe('the proxy of an address', () => {
  test.each([
    [service, {}, null],
    [service, { HTTPS_PROXY: proxy }, proxy],
    [service, { https_proxy: 'proxy.example.com:3128' }, proxy],
    [service, { https_proxy: proxy, HTTPS_PROXY: 'http://other.example.com' }, proxy],
    [service, { https_proxy: '', HTTPS_PROXY: ' https://proxy.example.com/ ' }, 'https://proxy.example.com'],
    [service, { HTTP_PROXY: proxy }, null],
    ['http://api.example.com', { HTTP_PROXY: proxy }, proxy],
    ['http://api.example.com', { HTTPS_PROXY: proxy }, null],
    ['http://127.0.0.1:8080', { HTTP_PROXY: proxy }, null],
    ['https://localhost', { HTTPS_PROXY: proxy }, null],
    ['https://[::1]:8443', { HTTPS_PROXY: proxy }, null],
  ])('the proxy of an address: %s with %j', (baseUrl, env, address) => {
    expect(findProxy(baseUrl, env)?.address ?? null).toBe(address)
  })

  test.each([
    ['*', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['API.EXAMPLE.COM', true],
    ['localhost,10.0.0.0/8, api.example.com', true],
    ['api.example.com:443', true],
    ['api.example.com:8443', false],
    ['ample.com', false],
    ['example.org', false],
    ['', false],
  ])('the proxy of an address is none with NO_PROXY=%s: %s', (value, isExempt) => {
    expect(findProxy(service, { HTTPS_PROXY: proxy, NO_PROXY: value }) === null).toBe(isExempt)
  })

  test.each(['socks5://me:pass-word@h', 'http://', 'http://a b', 'http://%zz:x@h'])(
    'the proxy of an address may not be %s',
    (value) => {
      expect(findProxy(service, { HTTPS_PROXY: value })).toBeNull()
      const message = checkProxy(service, { HTTPS_PROXY: value })
      expect(message).toMatch(/^environment variable HTTPS_PROXY: expected the address of a proxy/)
      expect(message).not.toContain('pass-word')
      expect(checkProxy(service, { HTTPS_PROXY: proxy })).toBeNull()
      expect(checkProxy('http://127.0.0.1', { HTTP_PROXY: value })).toBeNull()
    },
  )
})

describe('a client with a proxy', () => {
  const request = { method: 'POST', path: '/v4/products/stream', body: { filter: {} } } as const
  /** Address of a name that nobody could look up: only the proxy knows the way. */
  const baseUrl = 'http://api.example.invalid:8080'
  const through = (port: number, user = '') => findProxy(baseUrl, { HTTP_PROXY: `${user}127.0.0.1:${port}` })

  test('a client with a proxy sends requests through it, and gives the credentials of proxy and service to each alone', async () => {
    await using stub = await ServiceStub.start(answerText(200, 'fine'))
    await using tunnel = await startConnectProxy(stub.url)
    const client = createTestClient(baseUrl, { proxy: through(tunnel.port, 'http://me:p%40ss-word@') })
    for (let i = 0; i < 3; i++) {
      expect(await text((await client.open(request)).body)).toBe('fine')
      await new Promise((resolve) => setImmediate(resolve))
    }
    const authorization = `Basic ${Buffer.from('me:p@ss-word').toString('base64')}`
    const target = `${baseUrl}${request.path}`
    expect(tunnel.asked).toEqual(Array.from({ length: 3 }, () => ({ target, authorization })))
    expect(stub.requests[0]).toMatchObject({ url: request.path, body: request.body })
    expect(stub.requests[0]?.headers).toMatchObject({ host: 'api.example.invalid:8080' })
    expect(stub.requests[0]?.headers['authorization']).toBe(
      `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
    )
    expect(stub.requests[0]?.headers['proxy-authorization']).toBeUndefined()
    await client.close()
  })

  test('a client with a proxy keeps the time limits of the answer', async () => {
    await using stub = await ServiceStub.start((response) => void response.write('the beginning'))
    await using tunnel = await startConnectProxy(stub.url)
    const client = createTestClient(baseUrl, { proxy: through(tunnel.port), limits: { idleTimeoutMs: 300 } })
    await expect(text((await client.open(request)).body)).rejects.toThrow('nothing came for 0.3 s')
    await client.close()
  })

  test.each([
    [407, 1, ': it asks for a user and a password, in the variable that names it'],
    [403, 1, ''],
    [502, 3, ' (3 tries)'],
  ])(
    'a proxy that answers %i is named with that status after %i tries, without its password',
    async (status, tries, more) => {
      await using tunnel = await startConnectProxy('http://127.0.0.1:1', status)
      const secure = baseUrl.replace('http:', 'https:')
      const client = createTestClient(secure, { proxy: through(tunnel.port, 'me:p%40ss-word@'), retries: 2 })
      const error = await client.open(request).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        code: 'SERVICE_UNREACHABLE',
        message: `POST ${secure}/v4/products/stream: expected an answer, got none: the proxy 127.0.0.1:${tunnel.port} does not connect to api.example.invalid (${status})${more}`,
      })
      expect(tunnel.asked).toHaveLength(tries)
      const shown = inspect([error, client], { depth: 9, showHidden: true })
      for (const secret of ['p@ss-word', 'p%40ss-word', Buffer.from('me:p@ss-word').toString('base64')])
        expect(shown).not.toContain(secret)
      await client.close()
    },
  )

  test('a proxy that asks for a password before it forwards names the variable', async () => {
    await using forwarding = await startConnectProxy('http://127.0.0.1:1', 407)
    const client = createTestClient(baseUrl, { proxy: through(forwarding.port) })
    await expect(client.open(request)).rejects.toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      message: expect.stringContaining('(407): it asks for a user and a password') as string,
    })
    expect(forwarding.asked).toHaveLength(1)
    await client.close()
  })

  // A loop without a pause would let no timer of this process run.
  test.each([
    ['http', 'SOURCE_FAILED'],
    ['https', 'SERVICE_UNTRUSTED'],
  ])(
    'a proxy that answers by itself, whatever it is asked, ends the reading of %s',
    async (protocol, code) => {
      await using captive = await startCaptiveProxy()
      const child = await buildChild('captive-child.ts')
      const args = [child, `${protocol}://api.example.invalid`, `${captive.port}`]
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000, killSignal: 'SIGKILL' })
      expect(stdout).toBe(code)
    },
    30_000,
  )

  test('a proxy that is not there is named', async () => {
    const gone = await startConnectProxy('http://127.0.0.1:1')
    await gone[Symbol.asyncDispose]()
    const client = createTestClient(baseUrl, { proxy: through(gone.port), retries: 0 })
    await expect(client.open(request)).rejects.toThrow(
      `got none: 127.0.0.1:${gone.port}, the proxy, does not take connections (ECONNREFUSED)`,
    )
    await client.close()
  })
})

/** Takes everybody to its own page. */
async function startCaptiveProxy() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n<html>captive</html>'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
