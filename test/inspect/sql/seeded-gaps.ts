import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import type { RunFolder } from '../../cli/run-folder.ts'

/** A record of v4/product as it is delivered, with the members that tests change. */
export interface Product {
  readonly id: string
  readonly publicPrice?: number | null
  readonly meta?: { readonly createdAt?: number | null; readonly updatedAt?: number | null } | null
  readonly [member: string]: unknown
}

/** Generates products with gaps of every kind at known places, and writes their export. */
export async function seedGaps(folder: RunFolder, records: number, name = 'export.ndjson'): Promise<Product[]> {
  const text = Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 7 })]).toString()
  const delivered = text
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { result: Product }).result]))
  const products = delivered.map((product, at) => ({ ...product, ...toGap(at, delivered) }))
  await writeLines(folder, name, products)
  return products
}

export async function writeLines(folder: RunFolder, name: string, products: readonly Product[]): Promise<void> {
  const lines = products.map((result, index) => JSON.stringify({ meta: { total: products.length, index }, result }))
  await folder.write(name, `${lines.join('\n')}\n`)
}

function toGap(at: number, products: readonly Product[]): Partial<Product> {
  const other = products[at - 1]
  switch (at % 17) {
    case 1:
      return { status: 'active', photos: [] }
    case 2:
      return { status: 'active', publicPrice: 0 }
    case 3:
      return { status: 'active', publicPrice: -5 }
    case 4:
      return { status: 'active', name: { nl: 'Alleen Nederlands', fr: null } }
    case 5:
      return { status: 'active', cnk: null, ean: null, gtin: null, eanGtin8: null, eanGtin13: null, eanGtin14: null }
    case 6:
      return { cnk: other?.['cnk'] }
    case 7:
      return { cnk: '0123456', gtin: 12345670 }
    case 8:
      return { status: 'replaced', replacement: null }
    case 9:
      return { status: 'replaced', replacement: other?.id }
    case 10:
      return { status: 'active', publicPrice: 9_000_000 }
    case 11:
      return { status: 'active', publicPrice: 3, pharmacistPrice: 2000 }
    case 12:
      return { meta: { createdAt: Math.floor(Date.now() / 1000) - at * 3600, updatedAt: 1_600_000_000 } }
    case 13:
      return { status: 'active', brands: null, descriptions: null }
    default:
      return {}
  }
}
