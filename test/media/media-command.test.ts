import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DownloadSetup, media, product } from './download-setup.ts'
import { listProblems } from './media-folder.ts'
import { jpeg } from './image-host.ts'

const use = DownloadSetup.forEachTest()

describe('a download', () => {
  test('stores every photo of every product by id, format and hash, and lists its size and bytes', async () => {
    const [a, b] = [use.host.serve('/a.jpg', jpeg('a', 90, 60)), use.host.serve('/b.jpg')]
    const config = await use.configOf([
      product('M1', [{ id: 1, formats: { large: a } }]),
      product('M2', [{ id: 2, formats: { large: b, huge: use.host.serve('/unwanted.jpg') } }]),
    ])
    const manifest = await use.folder.succeed(config)
    expect(manifest.files).toMatchObject({ files: 2, downloaded: 2, missing: 0 })
    expect(await use.folder.entries()).toMatchObject([
      { record: 'M1', id: '1', format: 'large', status: 'current', contentType: 'image/jpeg', width: 90, height: 60 },
      { record: 'M2', id: '2', format: 'large', status: 'current', width: 64, height: 48 },
    ])
    const [first] = await use.folder.entries()
    expect(first?.file).toBe(`1-large-${first?.sha256?.slice(0, 12)}.jpg`)
    expect(await listProblems(use.folder.images)).toEqual([])
    expect(use.host.countOf('/unwanted.jpg')).toBe(0)
  })

  test('sends the User-Agent of the config and no credentials with every request', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    expect(use.host.requests.map(({ headers }) => [headers['user-agent'], headers.authorization])).toEqual([
      ['test-images/1.0 (it@example.com)', undefined],
    ])
  })

  test('requests a photo of two products once, and lists it for both', async () => {
    const photo = { id: 7, formats: { large: use.host.serve('/a.jpg') } }
    const config = await use.configOf([product('M1', [photo]), product('M2', [photo])])
    await use.folder.succeed(config)
    expect(use.host.countOf('/a.jpg')).toBe(1)
    expect((await use.folder.entries()).map(({ record, file }) => [record, file])).toEqual([
      ['M1', expect.stringMatching(/^7-large-/)],
      ['M2', expect.stringMatching(/^7-large-/)],
    ])
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('requests one address of two photos once, and stores a file for each', async () => {
    const formats = { large: use.host.serve('/a.jpg') }
    const config = await use.configOf([
      product('M1', [
        { id: 1, formats },
        { id: 2, formats },
      ]),
    ])
    expect((await use.folder.succeed(config)).files).toMatchObject({ files: 2, downloaded: 1, copied: 1 })
    expect(use.host.countOf('/a.jpg')).toBe(1)
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test('names photos without an id by product and position', async () => {
    const config = await use.configOf([product('M1', [{ formats: { large: use.host.serve('/a.jpg') } }])])
    await use.folder.succeed(config)
    expect((await use.folder.entries())[0]?.file).toMatch(/^M1-1-large-[0-9a-f]{12}\.jpg$/)
  })

  test('takes the extension from the content, not from the address', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.png') } }])])
    await use.folder.succeed(config)
    expect((await use.folder.entries())[0]?.file).toMatch(/\.jpg$/)
  })

  test('shows and stores no query of an address', async () => {
    use.host.serve('/a.jpg')
    const config = await use.configOf([
      product('M1', [{ id: 1, formats: { large: `${use.host.url}/a.jpg?signature=geheim` } }]),
    ])
    const { stdout, stderr } = await use.folder.download(config, ['--json'])
    expect(use.host.requests[0]?.path).toBe('/a.jpg?signature=geheim')
    expect((await use.folder.entries())[0]?.url).toBe(`${use.host.url}/a.jpg`)
    const files = await Promise.all(
      ['_media.json', '_media.ndjson'].map((name) => readFile(join(use.folder.images, name), 'utf8')),
    )
    expect([stdout, stderr, ...files].join('')).not.toContain('geheim')
  })

  test('rejects records as a run does, and downloads nothing above the limit', async () => {
    const config = await use.configOf([
      product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }]),
      { id: null },
    ])
    const { exitCode, stderr } = await use.folder.download(config)
    expect({ exitCode, code: stderr.match(/^[A-Z_]+/m)?.[0] }).toEqual({ exitCode: 3, code: 'TOO_MANY_REJECTS' })
    expect(use.host.requests).toEqual([])
  })

  test('downloads nothing from an incomplete source', async () => {
    const config = await use.configOf([product('M1', [{ id: 1, formats: { large: use.host.serve('/a.jpg') } }])])
    const path = use.folder.at('records.ndjson')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"total":1', '"total":2'))
    expect(await use.folder.download(config)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('SOURCE_INCOMPLETE'),
    })
    expect(use.host.requests).toEqual([])
  })
})

describe('the choice of files', () => {
  test('with a locale takes one file of each format per product, of the first fallback locale that has it', async () => {
    const photos = [
      {
        id: 1,
        locales: ['en'],
        displayOrder: 1,
        formats: { large: use.host.serve('/en.jpg'), huge: use.host.serve('/en-h.jpg') },
      },
      { id: 2, locales: ['fr'], displayOrder: 3, formats: { large: use.host.serve('/fr3.jpg') } },
      { id: 3, locales: ['fr', 'nl'], displayOrder: 2, formats: { large: use.host.serve('/fr2.jpg'), huge: '' } },
    ]
    const settings = { formats: ['large', 'huge'], locale: 'nl', fallback: 'spec' }
    await use.folder.succeed(await use.configOf([product('M1', photos)], settings))
    expect((await use.folder.entries()).map(({ id, format, locale }) => [id, format, locale])).toEqual([
      ['3', 'large', 'nl'],
      ['1', 'huge', 'en'],
    ])
    expect(use.host.requests.map(({ path }) => path).toSorted()).toEqual(['/en-h.jpg', '/fr2.jpg'])
  })

  test('where excludes photos as it does in a table', async () => {
    const photos = [
      { id: 1, photoType: 'packshot', formats: { large: use.host.serve('/a.jpg') } },
      { id: 2, photoType: 'lifestyle_image', formats: { large: use.host.serve('/b.jpg') } },
    ]
    await use.folder.succeed(await use.configOf([product('M1', photos)], { where: { photoType: 'packshot' } }))
    expect((await use.folder.entries()).map(({ id }) => id)).toEqual(['1'])
  })

  test('downloads leaflets in each locale, or in one', async () => {
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer<<>>\n%%EOF\n')
    const url = { nl: use.host.serve('/nl.pdf', pdf), fr: use.host.serve('/fr.pdf', Buffer.concat([pdf, pdf])) }
    const products = [{ id: 'M1', leaflets: [{ id: 5, locales: ['nl', 'fr'], type: 'pil', url }] }]
    const all = await use.configOf(products, { from: 'leaflets[]', formats: undefined })
    await use.folder.succeed(all)
    expect((await use.folder.entries()).map(({ file }) => file?.slice(0, 5))).toEqual(['5-nl-', '5-fr-'])
    const one = await use.configOf(products, { from: 'leaflets[]', formats: undefined, locale: 'en', fallback: ['fr'] })
    await use.folder.succeed(one)
    expect(await use.folder.entries()).toMatchObject([
      { id: '5', locale: 'fr', contentType: 'application/pdf', width: null },
    ])
    expect(await listProblems(use.folder.images)).toEqual([])
  })

  test.each([
    ['v4/photo', {}, 1],
    ['v4/frontal', {}, 1],
    ['v4/media', { type: 'photo' }, 1],
    ['v4/media', { type: 'link' }, 0],
  ])('takes records of %s %j as %d images', async (contract, record, files) => {
    const formats = { large: use.host.serve('/a.jpg') }
    const source = await use.folder.records(contract, [{ id: 1, ...record, formats }])
    expect((await use.folder.succeed(await use.folder.config({ source, media }))).files).toMatchObject({ files })
  })

  test('lists a photo without the format with its reason, and does not count it against the limit', async () => {
    const config = await use.configOf([
      product('M1', [
        { id: 1, formats: { large: use.host.serve('/a.jpg') } },
        { id: 2, formats: {} },
      ]),
    ])
    await use.folder.succeed(config, ['--set', 'media.maxMissing=0'])
    expect(await use.folder.entries('_missing.ndjson')).toEqual([
      { record: 'M1', id: '2', format: 'large', locale: null, status: 'missing', reason: 'no-address' },
    ])
  })
})
