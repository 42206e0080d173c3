import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'

type Code = string | number | null

interface Product extends Record<string, unknown> {
  cnk?: Code
  ean?: Code | Code[]
}

type Trap = (product: Product, others: readonly Product[]) => void

const photo = (id: number, of: Product): Product => ({
  id,
  photoType: 'packshot',
  locales: ['nl'],
  displayOrder: 1,
  formats: { large: `https://media.example.com/${id}.jpg` },
  ...of,
})

/** What has gone wrong with joins, images and imports made by hand. Each is in the data several times. */
const traps: readonly Trap[] = [
  // Codes: on several products, as numbers without their zeros, as text, missing.
  (product, [other]) => Object.assign(product, { cnk: other!['cnk'] }),
  (product, [other]) => Object.assign(product, { cnk: other!['cnk'], status: 'inactive' }),
  (product, [other]) =>
    Object.assign(product, { cnk: 446_014 + Math.floor(Number(other!['vat'])), ean: other!['ean'] }),
  (product) => Object.assign(product, { cnk: null, status: 'active' }),
  // Replacements: in two steps, in a circle, by nothing.
  (product, [first, second]) => {
    Object.assign(product, { status: 'replaced', replacement: first!['id'] })
    Object.assign(first!, { status: 'replaced', replacement: second!['id'] })
    Object.assign(second!, { status: 'active' })
  },
  (product, [other]) => {
    Object.assign(product, { status: 'replaced', replacement: other!['id'] })
    Object.assign(other!, { status: 'replaced', replacement: product['id'] })
  },
  (product) => Object.assign(product, { status: 'replaced', replacement: null }),
  // Amounts: none, zero, less than a euro, of the wrong type, as text.
  (product) => Object.assign(product, { publicPrice: 0, status: 'active' }),
  (product) => Object.assign(product, { publicPrice: 7, vat: 21, status: 'active' }),
  (product) => Object.assign(product, { publicPrice: 'on request', status: 'active' }),
  (product) => Object.assign(product, { publicPrice: '123456', vat: '6', status: 'active' }),
  // Texts: that a spreadsheet runs, with the delimiter, quotes and line breaks, in another language only.
  (product) => Object.assign(product, { status: 'active', publicPrice: 820, name: { nl: '=1+2', fr: '-2 "x"; y' } }),
  (product) => Object.assign(product, { status: 'active', publicPrice: 5, name: { nl: '@a;b', fr: 'l1\nl2' } }),
  (product) => Object.assign(product, { status: 'active', name: { en: 'only English', nl: null }, brands: [] }),
  // Images: another type first, a tie, without a file, of another language, in none of them.
  (product) =>
    Object.assign(product, {
      status: 'active',
      photos: [
        photo(1, { photoType: 'productshot' }),
        photo(2, { displayOrder: 2 }),
        photo(3, { formats: { large: null } }),
        photo(4, { locales: ['fr', 'en'] }),
        photo(5, { displayOrder: 2 }),
      ],
    }),
  (product) =>
    Object.assign(product, {
      status: 'active',
      photos: [photo(6, { locales: ['de'] }), photo(7, { locales: ['en'], displayOrder: 9 })],
    }),
  (product) => Object.assign(product, { status: 'active', photos: [photo(8, { formats: { large: '' } })] }),
  (product) => Object.assign(product, { status: 'active', photos: null }),
]

/** Generated products, every second one with a trap, as lines of the service. */
export function makeTrappedProducts(count: number): Product[] {
  const text = Buffer.concat([...generateLines({ contract: 'v4/product', records: count, seed: 30 })]).toString()
  const products = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { result: Product }).result)
  for (const [at, product] of products.entries())
    if (at % 3 === 0) traps[(at / 3) % traps.length]!(product, products.slice(at + 1, at + 3))
  return products
}

export function toServiceLines(products: readonly Product[]): string {
  const total = products.length
  return products.map((result, index) => `${JSON.stringify({ meta: { index, total }, result })}\n`).join('')
}

/** Codes of products as shops have them, with their stock, as CSV. */
export function makeShopList(products: readonly Product[]): string {
  const lines = products.map(({ cnk, ean }, at) => {
    const code = String(cnk ?? '').padStart(7, '0')
    const bar = String((Array.isArray(ean) ? ean[0] : ean) ?? '')
    const cnks = [code, String(Number(code)), `${code.slice(0, 4)}-${code.slice(4)}`, `${Number(code)}.0`, '']
    const eans = ['', bar, `${bar}.0`, bar.padStart(14, '0'), bar.replace(/\d$/, (digit) => String((+digit + 1) % 10))]
    return `${eans[at % 5]};${cnk === null ? '' : cnks[(at * 3) % 5]};${at % 40}`
  })
  // In an order of its own, with repeated lines, codes of nobody, and text.
  return ['EAN;CNK;stock', ...lines.toReversed(), ...lines.slice(0, 9), ';9999999;1', ';;2', ';unknown;3', ''].join(
    '\r\n',
  )
}
