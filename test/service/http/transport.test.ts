import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { errorDefinitions } from '../../../src/errors.ts'
import { findProxy } from '../../../src/service/http/service-proxy.ts'
import { describeTransportFailure } from '../../../src/service/http/transport-failure.ts'
import { buildChild } from '../../built-child.ts'
import { startConnectProxy } from './connect-proxy.ts'
import { FakeClock } from './fake-clock.ts'
import { createSelfSigned, type SelfSigned } from './self-signed.ts'
import { answerText, createTestClient, ServiceStub } from '../read/service-stub.ts'

const request = { method: 'GET', path: '/v3/brands/all' } as const

describe('a connection', () => {
  test.skipIf(process.platform === 'win32')(
    'a connection that does not come about in time is tried again, and says how long it waited',
    async () => {
      await using full = await startFullServer()
      const clock = new FakeClock()
      const limits = { connectTimeoutMs: 200 }
      const client = createTestClient(full.url, { clock, limits, retries: 1 })
      await expect(client.open(request)).rejects.toMatchObject({
        code: 'SERVICE_UNREACHABLE',
        message: `GET ${full.url}/v3/brands/all: expected an answer, got none: no connection to 127.0.0.1 within 0.2 s (UND_ERR_CONNECT_TIMEOUT) (2 tries)`,
      })
      expect(clock.sleeps).toEqual([500])
      await client.close()
    },
    30_000,
  )
})

describe('a certificate', () => {
  test('a certificate that no authority has signed ends the request at once, with advice', async () => {
    await using server = await startTls(createSelfSigned({ names: ['localhost'] }))
    const clock = new FakeClock()
    const client = createTestClient(server.url, { clock })
    const failed = client.open(request)
    await expect(failed).rejects.toMatchObject({
      code: 'SERVICE_UNTRUSTED',
      exitCode: 4,
      message: expect.stringMatching(
        /got none: there is no trusted connection to localhost \(DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate/,
      ) as string,
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    })
    expect(clock.sleeps).toEqual([])
    expect(server.requests()).toBe(0)
    await client.close()
  })

  test('a certificate is trusted where NODE_EXTRA_CA_CERTS names it, as long as name and date are right', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'certificates-'))
    const good = createSelfSigned({ names: ['localhost'] })
    const old = createSelfSigned({ names: ['localhost'], validUntil: new Date(Date.now() - 3_600_000) })
    await using server = await startTls(good)
    await using expired = await startTls(old)
    try {
      const path = join(folder, 'own.pem')
      await writeFile(path, good.cert + old.cert)
      const addresses = [server.url, server.url.replace('localhost', '127.0.0.1'), expired.url]
      const [answer, other, late] = await askInChild(addresses, path)
      expect(answer).toBe('fine')
      expect(other).toMatch(
        /^SERVICE_UNTRUSTED .* no trusted connection to 127\.0\.0\.1 \(ERR_TLS_CERT_ALTNAME_INVALID/,
      )
      expect(late).toMatch(
        /^SERVICE_UNTRUSTED .* no trusted connection to localhost \(CERT_HAS_EXPIRED: certificate has expired/,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  }, 30_000)

  test('a certificate is expected to be that of the service behind a proxy, too', async () => {
    await using server = await startTls(createSelfSigned({ names: ['api.example.invalid'] }))
    await using tunnel = await startConnectProxy(server.url)
    const baseUrl = 'https://api.example.invalid'
    const proxy = findProxy(baseUrl, { HTTPS_PROXY: `127.0.0.1:${tunnel.port}` })
    const client = createTestClient(baseUrl, { proxy })
    await expect(client.open(request)).rejects.toMatchObject({
      code: 'SERVICE_UNTRUSTED',
      message: expect.stringContaining('to api.example.invalid (DEPTH_ZERO_SELF_SIGNED_CERT') as string,
    })
    expect(tunnel.asked).toMatchObject([{ target: 'api.example.invalid:443' }])
    await client.close()
  })

  test('a certificate is expected of https: an address without TLS is not trusted', async () => {
    await using stub = await ServiceStub.start(answerText(200, 'fine'))
    const client = createTestClient(stub.url.replace('http:', 'https:'))
    await expect(client.open(request)).rejects.toMatchObject({
      code: 'SERVICE_UNTRUSTED',
      message: expect.stringMatching(/\(\w+: wrong version number, as where http is spoken, not https\)$/) as string,
    })
    await client.close()
  })

  test.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
    'HOSTNAME_MISMATCH',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'UND_ERR_PRX_TLS',
  ])('a certificate with the fault %s is not tried again', (code) => {
    const limits = { connectTimeoutMs: 1, firstByteTimeoutMs: 1, idleTimeoutMs: 1 }
    const failure = describeTransportFailure({ code, message: 'why' }, { host: 'h', proxyHost: null, limits })
    const reason = `there is no trusted connection to h (${code}: why)`
    expect(failure).toEqual({ reason, isPermanent: true, isUntrusted: true, mayHaveArrived: false })
    expect(errorDefinitions.SERVICE_UNTRUSTED.exitCode).toBe(4)
  })
})

interface Server {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

async function startTls({ key, cert }: SelfSigned): Promise<Server & { readonly requests: () => number }> {
  let requests = 0
  const server = createServer({ key, cert }, (_, response) => {
    requests++
    response.end('fine')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Listens but accepts no connection, as its thread is blocked; its queue is full. */
async function startFullServer(): Promise<Server> {
  const code = `const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`
  const worker = new Worker(code, { eval: true })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  const queue: Socket[] = []
  for (let connected = true; connected;) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    queue.push(socket)
    connected = await Promise.race([
      new Promise<boolean>((resolve) => socket.once('connect', () => resolve(true))),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 200)),
    ])
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of queue) socket.destroy()
      await worker.terminate()
    },
  }
}

async function askInChild(addresses: readonly string[], certificates: string): Promise<string[]> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificates }
  const args = [await buildChild('trusting-child.ts'), ...addresses]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout) as string[]
}
