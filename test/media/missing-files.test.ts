import { describe, expect, test } from 'vitest'
import { DownloadSetup, product } from './download-setup.ts'
import { listProblems } from './media-folder.ts'
import { jpeg } from './image-host.ts'

const use = DownloadSetup.forEachTest()

describe('files that fail', () => {
  test.each<[string, string, (path: string) => string]>([
    ['status 404', 'not-found', (path) => use.host.url + path],
    ['status 410', 'not-found', (path) => use.host.on(path, (response) => response.writeHead(410).end())],
    ['status 403', 'refused', (path) => use.host.on(path, (response) => response.writeHead(403).end())],
    ['status 500', 'failed', (path) => use.host.on(path, (response) => response.writeHead(500).end())],
    ['a page of HTML', 'not-media', (path) => use.host.serve(path, Buffer.from('<!doctype html><p>Sorry'))],
    ['an empty body', 'not-media', (path) => use.host.serve(path, Buffer.alloc(0))],
    ['half a JPEG', 'truncated', (path) => use.host.serve(path, jpeg('a', 400, 400).subarray(0, 300))],
    ['a file that is too large by its length', 'too-large', (path) => use.host.serve(path, jpeg('a', 3000, 3000))],
    [
      'a file that is too large without a length',
      'too-large',
      (path) =>
        use.host.on(path, (response) => {
          const bytes = jpeg('a', 3000, 3000)
          response.write(bytes.subarray(0, 100))
          response.end(bytes.subarray(100))
        }),
    ],
    [
      'a cut connection',
      'unreachable',
      (path) =>
        use.host.on(path, (response) => {
          response.writeHead(200, { 'content-length': 1000 })
          response.write(jpeg('a'))
          setTimeout(() => response.socket?.destroy(), 20)
        }),
    ],
    ['silence', 'timeout', (path) => use.host.on(path, () => undefined)],
    [
      'a body that stops',
      'timeout',
      (path) => use.host.on(path, (response) => void response.write(jpeg('a').subarray(0, 50))),
    ],
    [
      'a loop of redirects',
      'redirects',
      (path) => use.host.on(path, (response) => response.writeHead(302, { location: path }).end()),
    ],
    [
      'a redirect to a file',
      'bad-address',
      (path) => use.host.on(path, (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()),
    ],
    ['the address of a file', 'bad-address', () => 'file:///etc/passwd'],
    ['an address that is none', 'bad-address', () => 'photos/1.jpg'],
    ['an address with a password', 'refused-address', () => 'http://me:secret@127.0.0.1/'],
    ['a port where nobody listens', 'unreachable', () => 'http://127.0.0.1:1/a.jpg'],
  ])('%s is reported as %s, and leaves no file', async (_, reason, toAddress) => {
    const settings = { maxMissing: 1, maxBytes: 10_000, timeouts: { firstByte: '300ms', idle: '300ms' } }
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: toAddress('/x.jpg') } }])], settings)
    const manifest = await use.folder.succeed(config)
    expect(manifest.entries).toMatchObject({ missing: 1, reasons: { [reason]: 1 } })
    expect((await use.folder.names()).filter((name) => !name.startsWith('_'))).toEqual([])
    expect(await use.folder.entries('_missing.ndjson')).toMatchObject([{ id: '1', status: 'missing', reason }])
  })

  test('a file that is incomplete after the total time is missing', async () => {
    const address = use.host.on('/a.jpg', (response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const settings = { maxMissing: 1, timeouts: { total: '400ms' } }
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: address } }])], settings)
    expect((await use.folder.succeed(config)).entries.reasons).toEqual({ timeout: 1 })
  })

  test('above the limit nothing is published but _missing.ndjson, and the next download requests only the missing files', async () => {
    const products = ['M1', 'M2'].map((id, at) =>
      product(id, [{ id: at, formats: { large: `${use.host.url}/${id}.jpg` } }]),
    )
    use.host.serve('/M1.jpg')
    const config = await use.configOf(products)
    const { exitCode, stderr } = await use.folder.download(config)
    expect({ exitCode, code: stderr.match(/^[A-Z_]+/m)?.[0] }).toEqual({ exitCode: 3, code: 'MEDIA_MISSING' })
    expect(stderr).toContain('1 not-found')
    expect(await use.folder.entries('_missing.ndjson')).toMatchObject([{ record: 'M2', reason: 'not-found' }])
    expect(await use.folder.names()).not.toContain('_media.json')
    use.host.serve('/M2.jpg')
    expect((await use.folder.succeed(config)).files).toMatchObject({ resumed: 1, downloaded: 1 })
    expect(use.host.countOf('/M1.jpg')).toBe(1)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('a busy host is asked again after Retry-After, and after a cut answer', async () => {
    const bytes = jpeg('a')
    const address = use.host.on('/a.jpg', (response, _, turn) => {
      if (turn === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else if (turn === 2)
        response.writeHead(200, { 'content-length': 2 * bytes.length }).write(bytes, () => response.socket?.destroy())
      else response.end(bytes)
    })
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: address } }])], { retries: 2 })
    await use.folder.succeed(config)
    expect(use.host.countOf('/a.jpg')).toBe(3)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('a download ends if the hosts stop answering', async () => {
    const photos = Array.from({ length: 120 }, (_, id) => ({ id, formats: { large: `http://127.0.0.1:1/${id}.jpg` } }))
    const config = await use.configOf([product('M1', photos)], { maxMissing: '100%' })
    const { exitCode, stderr } = await use.folder.download(config)
    expect({ exitCode, stderr }).toEqual({ exitCode: 4, stderr: expect.stringContaining('have stopped answering') })
  })
})
