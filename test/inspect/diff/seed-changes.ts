import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'

/** A product, as far as tests change it. */
export interface TestProduct {
  id: string
  name: Record<string, string>
  status: string
  publicPrice: number | null
  ean: string[]
  photos: { id: number; formats: { large: string } }[]
  meta: { updatedAt: number; embedUrl: string }
  [field: string]: unknown
}

/** Generated products in which all fields that tests change are there, in one form. */
export function generateProducts(records: number, seed: number): TestProduct[] {
  const text = Buffer.concat([...generateLines({ contract: 'v4/product', records, seed })]).toString()
  const lines = text.trimEnd().split('\n')
  const products = new Map<string, TestProduct>()
  for (const [at, line] of lines.entries()) {
    const { result: record } = JSON.parse(line) as { result: TestProduct }
    const photos = [1, 2, 3].slice(at % 3).map((id) => ({ id, formats: { large: `https://example.com/${at}/${id}` } }))
    const meta = {
      createdAt: 1700000000,
      updatedAt: 1750000000 + at,
      embedUrl: `https://example.com/${at}?signature=a`,
    }
    const own = { name: { nl: `naam ${at}`, fr: `nom ${at}` }, ean: ['5412345000013', '5412345000020'].slice(at % 2) }
    products.set(record.id, {
      ...record,
      ...own,
      status: 'active',
      publicPrice: at % 5 === 0 ? null : at,
      photos,
      meta,
    })
  }
  return [...products.values()]
}

/** The same products a week later: every kind of change, drawn at random, and every kind of what is no change. */
export function changeProducts(products: readonly TestProduct[], seed: number): TestProduct[] {
  const draw = createDraw(seed)
  const changed = products.flatMap((product) => changeProduct(structuredClone(product), draw))
  const added = products.slice(0, 1 + draw(5)).map((product, at) => ({ ...product, id: `N${at}${product.id}` }))
  return [...changed, ...added]
}

type Draw = (below: number) => number

function changeProduct(product: TestProduct, draw: Draw): TestProduct[] {
  const kind = draw(16)
  if (kind === 0) return []
  // Signed and touched anew, with no change of content.
  product.meta = {
    ...product.meta,
    updatedAt: product.meta.updatedAt + 7,
    embedUrl: `https://example.com/?signature=${draw(1e9)}`,
  }
  if (kind === 1) product.publicPrice = draw(2) === 0 ? null : 100_000 + draw(100)
  if (kind === 2) product.name = { ...product.name, nl: `andere naam ${draw(1000)}` }
  if (kind === 3) product.name = { fr: product.name['fr'] ?? '', de: 'Name "in" Anführungszeichen, mit Komma' }
  if (kind === 4) product.status = 'inactive'
  if (kind === 5) product.photos[0]!.formats.large = `https://example.com/changed/${draw(1000)}`
  if (kind === 6) product.photos.unshift({ id: 90 + draw(5), formats: { large: 'https://example.com/first' } })
  if (kind === 7) product.photos.shift()
  if (kind === 8) product.photos.reverse()
  if (kind === 9) product.ean.reverse()
  if (kind === 10) product.ean.push('5412345999999')
  if (kind === 11) return [Object.fromEntries(Object.entries(product).toReversed()) as TestProduct]
  if (kind === 12) return [{ ...product, seoName: product['seoName'] ?? null, unknownToAll: null }]
  return [product]
}

/** Whole numbers, the same for the same seed (mulberry32). */
function createDraw(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Lines of a stream. */
export function toStream(records: readonly object[]): string {
  return records
    .map((result, index) => `${JSON.stringify({ meta: { total: records.length, index }, result })}\n`)
    .join('')
}

/** Bare records, one a line. */
export function toBareLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
