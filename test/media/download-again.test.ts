import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runInMemory } from '../cli/memory-terminal.ts'
import { lockPathFor, takeFileLock } from '../../src/storage/lock/file-lock.ts'
import { DownloadSetup, media, product } from './download-setup.ts'
import { listProblems } from './media-folder.ts'
import { jpeg } from './image-host.ts'

const use = DownloadSetup.forEachTest()

describe('another download into the same folder', () => {
  test('sends conditional requests for present files, and gets no bytes again', async () => {
    const bytes = jpeg('a')
    const address = use.host.on('/a.jpg', (response, { headers }) => {
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else response.writeHead(200, { etag: '"v1"' }).end(bytes)
    })
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: address } }])])
    await use.folder.succeed(config)
    const before = await use.folder.entries()
    expect((await use.folder.succeed(config)).files).toMatchObject({ downloaded: 0, unchanged: 1 })
    expect(await use.folder.entries()).toEqual(before)
  })

  test('asks by date if the host gave no ETag', async () => {
    const date = 'Sun, 01 Nov 2026 10:00:00 GMT'
    const address = use.host.serve('/a.jpg', jpeg('a'), { 'last-modified': date })
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: address } }])])
    await use.folder.succeed(config)
    expect((await use.folder.succeed(config)).files).toMatchObject({ downloaded: 0, unchanged: 1 })
    expect(use.host.requests[1]?.headers['if-modified-since']).toBe(date)
  })

  test('with revalidate: false requests no present file whose address is unchanged', async () => {
    const products = [product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])]
    await use.folder.succeed(await use.configOf(products, { revalidate: false }))
    await use.folder.succeed(await use.configOf(products, { revalidate: false }))
    expect(use.host.countOf('/a.jpg')).toBe(1)
    const moved = [product('M1', [{ id: 1, formats: { large: use.host.serve('/b.jpg') } }])]
    await use.folder.succeed(await use.configOf(moved, { revalidate: false }))
    expect(use.host.countOf('/b.jpg')).toBe(1)
  })

  test.each([
    ['remove', 1],
    ['keep', 2],
  ])('replaces the file of a changed image: obsolete: %s', async (obsolete, files) => {
    const config = await use.configOf(
      [product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg', jpeg('one')) } }])],
      {
        obsolete,
      },
    )
    await use.folder.succeed(config)
    use.host.serve('/a.jpg', jpeg('two'))
    expect((await use.folder.succeed(config)).files).toMatchObject({ downloaded: 1 })
    expect((await use.folder.names()).filter((name) => name.endsWith('.jpg'))).toHaveLength(files)
  })

  test('downloads a file again that was deleted by hand', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    const [entry] = await use.folder.entries()
    await rm(join(use.folder.images, entry?.file ?? ''))
    expect((await use.folder.succeed(config)).files).toMatchObject({ downloaded: 1 })
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('keeps a file that fails now, with a stale entry', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])], {
      maxMissing: 1,
    })
    await use.folder.succeed(config)
    use.host.on('/a.jpg', (response) => response.writeHead(500).end())
    expect((await use.folder.succeed(config)).files).toMatchObject({ stale: 1, missing: 0 })
    expect(await use.folder.entries()).toMatchObject([{ status: 'stale', reason: 'failed', detail: 'status 500' }])
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('leaves other files in the folder alone', async () => {
    await mkdir(use.folder.images)
    await writeFile(join(use.folder.images, 'mine-large-0123456789ab.jpg'), 'mine')
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    expect(await readFile(join(use.folder.images, 'mine-large-0123456789ab.jpg'), 'utf8')).toBe('mine')
  })

  test('removes nothing if it is a sample, and keeps the other entries', async () => {
    const products = ['M1', 'M2'].map((id, at) =>
      product(id, [{ id: at, formats: { large: use.host.serve(`/${id}.jpg`) } }]),
    )
    const config = await use.configOf(products)
    await use.folder.succeed(config)
    await use.folder.succeed(config, ['--limit', '1'])
    expect(await use.folder.entries()).toHaveLength(2)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('keeps one line per file and record, however often it takes a sample', async () => {
    const shared = { id: 7, formats: { large: use.host.serve('/7.jpg', jpeg('a')) } }
    const config = await use.configOf([product('M1', [shared, { id: 8, formats: {} }]), product('M2', [shared])])
    await use.folder.succeed(config)
    use.host.serve('/7.jpg', jpeg('b'))
    for (let time = 0; time < 2; time++) {
      await use.folder.succeed(config, ['--limit', '1'])
      const entries = await use.folder.entries()
      expect(entries.map(({ record, id, reason }) => [record, id, reason])).toEqual([
        ['M1', '7', undefined],
        ['M1', '8', 'no-address'],
        ['M2', '7', undefined],
      ])
      expect(entries[2]?.file).toBe(entries[0]?.file)
    }
  })

  test('says that it is a sample', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    const { stderr } = await use.folder.download(config, ['--limit', '1'])
    expect(stderr).toContain('1 line, a sample (limit 1), 0 rejected')
  })

  test('refuses a folder with the files of another pipeline', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    const source = await use.folder.records('v4/product', [])
    const other = await use.folder.config({ source, media }, 'other')
    expect(await use.folder.download(other)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('this folder has the files of the pipeline images, not of other'),
    })
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('is refused while another download into the folder runs', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await mkdir(use.folder.images)
    const lock = await takeFileLock(lockPathFor(join(use.folder.images, '_media.json')), {
      subject: 'images',
      run: 'other',
    })
    expect(await use.folder.download(config)).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('LOCKED') })
    await lock.release()
    await use.folder.succeed(config)
  })

  test('exits with 130 if it is interrupted, keeps complete files, and the next one continues from there', async () => {
    const stop = new AbortController()
    const photos = Array.from({ length: 20 }, (_, id) => {
      const path = `/${id}.jpg`
      const address = use.host.on(path, (response) => {
        if (!stop.signal.aborted && id >= 10) stop.abort()
        else response.end(jpeg(path))
      })
      return { id, formats: { large: address } }
    })
    const config = await use.configOf([product('M1', photos)], { concurrency: 2 })
    const call = ['media', config, '--to', use.folder.images]
    const { exitCode, stderr } = await runInMemory(call, { signal: stop.signal })
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: expect.stringContaining('only what is missing') })
    const { files } = await use.folder.succeed(config)
    expect(files['resumed']).toBeGreaterThanOrEqual(8)
    expect(Number(files['resumed']) + Number(files['downloaded'])).toBe(20)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('counts files and present files with --dry-run, and requests none', async () => {
    const products = ['M1', 'M2'].map((id, at) =>
      product(id, [{ id: at, formats: { large: use.host.serve(`/${id}.jpg`) } }]),
    )
    const config = await use.configOf(products)
    await use.folder.succeed(config, ['--limit', '1'])
    const names = await use.folder.names()
    const { stdout } = await use.folder.download(config, ['--dry-run', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, dryRun: true, files: 2, there: 1, withoutAddress: 0 })
    expect(use.host.requests).toHaveLength(1)
    expect(await use.folder.names()).toEqual(names)
  })
})
