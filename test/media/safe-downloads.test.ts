import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DownloadSetup, product } from './download-setup.ts'
import { listProblems } from './media-folder.ts'

const use = DownloadSetup.forEachTest()

describe('addresses that are not public', () => {
  test('get no request without allowPrivate', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])], {
      allowPrivate: false,
      maxMissing: 1,
    })
    expect((await use.folder.succeed(config)).entries.reasons).toEqual({ 'refused-address': 1 })
    expect(use.host.requests).toEqual([])
    await use.folder.succeed(config, ['--allow-private'])
    expect(use.host.requests).toHaveLength(1)
  })

  test('are counted by the dry run, and the error names the switch that permits them', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])], {
      allowPrivate: false,
    })
    expect(await use.folder.download(config, ['--dry-run'])).toMatchObject({
      stdout: expect.stringMatching(/refused +1 would be: private addresses need --allow-private/),
    })
    expect(await use.folder.download(config, ['--dry-run', '--allow-private'])).toMatchObject({
      stdout: expect.not.stringContaining('refused'),
    })
    expect(await use.folder.download(config)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('downloaded only with `--allow-private` (`media.allowPrivate`)'),
    })
  })

  test('are refused when the socket connects to a name that resolves to one', async () => {
    const address = use.host.serve('/a.jpg').replace('127.0.0.1', 'localhost')
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: address } }])], {
      allowPrivate: false,
      maxMissing: 1,
    })
    await use.folder.succeed(config)
    expect(await use.folder.entries()).toMatchObject([
      { reason: 'refused-address', detail: expect.stringMatching(/^localhost leads to /) },
    ])
    expect(use.host.requests).toEqual([])
  })
})

test('a proxy downloads files of public names, and is not asked for local names', async () => {
  // The host of images is the proxy: requests through it contain the whole address.
  use.host.serve('http://images.example.com/a.jpg')
  const photos = ['images.example.com', 'files.internal', '127.0.0.2'].map((name, id) => {
    return { id, formats: { large: `http://${name}/a.jpg` } }
  })
  const config = await use.configOf([product('M1', photos)], { allowPrivate: false, maxMissing: 2 })
  const env = { http_proxy: use.host.url }
  expect(await use.folder.download(config, [], env)).toMatchObject({ exitCode: 0 })
  expect((await use.folder.entries()).map(({ status, reason }) => reason ?? status)).toEqual([
    'current',
    'refused-address',
    'refused-address',
  ])
  expect(use.host.requests.map(({ path }) => path)).toEqual(['http://images.example.com/a.jpg'])
})

test('a redirect to a private address is refused, and one to another path is followed', async () => {
  use.host.on('http://a.example.com/1.jpg', (response) =>
    response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  )
  use.host.on('http://a.example.com/2.jpg', (response) => response.writeHead(301, { location: '/3.jpg' }).end())
  use.host.serve('http://a.example.com/3.jpg')
  const photos = [1, 2].map((id) => ({ id, formats: { large: `http://a.example.com/${id}.jpg` } }))
  const config = await use.configOf([product('M1', photos)], { allowPrivate: false, maxMissing: 1 })
  await use.folder.download(config, [], { http_proxy: use.host.url })
  expect((await use.folder.entries()).map(({ status, reason }) => reason ?? status)).toEqual([
    'refused-address',
    'current',
  ])
})

describe('files outside the folder', () => {
  test('are never written, even if an id looks like a path', async () => {
    const products = ['../../x', '/etc/x', 'a\\b', '.', 'CON', 'é', 'M1\n'].map((id) =>
      product(id, [{ formats: { large: use.host.serve(`/${encodeURIComponent(id)}.jpg`) } }]),
    )
    await use.folder.succeed(await use.configOf(products))
    const entries = await use.folder.entries()
    expect(entries).toHaveLength(products.length)
    for (const { file } of entries) expect(file).toMatch(/^[A-Za-z0-9][\w.-]*-[0-9a-f]{12}\.jpg$/)
    expect(new Set(entries.map(({ file }) => file)).size).toBe(products.length)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('are never removed, even if a manifest names them', async () => {
    await writeFile(use.folder.at('victim-large-0123456789ab.jpg'), 'mine')
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    const path = join(use.folder.images, '_media.ndjson')
    const [entry] = await use.folder.entries()
    await writeFile(
      path,
      `${JSON.stringify({ ...entry, id: '9', file: '../victim-large-0123456789ab.jpg', bytes: 4 })}\n`,
    )
    await use.folder.succeed(config)
    expect(await readFile(use.folder.at('victim-large-0123456789ab.jpg'), 'utf8')).toBe('mine')
  })

  test('are never reached through a .media that is a link', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await mkdir(use.folder.images)
    await mkdir(use.folder.at('elsewhere'))
    await symlink(use.folder.at('elsewhere'), join(use.folder.images, '.media'))
    expect(await use.folder.download(config)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('OUTPUT_REFUSED'),
    })
  })
})
