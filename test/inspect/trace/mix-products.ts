import { generateProducts } from '../diff/seed-changes.ts'

/**
 * Lines of a stream in which every decision on a line is made: accepted, filtered (`status` other than active), rejected
 * with an id and without, repeated. The first record is `X0`.
 */
export function mixProducts(records: number, seed: number): string[] {
  const products = generateProducts(records, seed).map((product, at) => ({
    ...product,
    id: at === 0 ? 'X0' : product.id,
    status: at % 7 === 3 ? 'inactive' : 'active',
    publicPrice: at % 11 === 5 ? 'on request' : product.publicPrice,
    photos: product.photos.map((photo, place) => ({ ...photo, photoType: place === 0 ? 'packshot' : 'pillshot' })),
  }))
  const repeated = products.flatMap((product, at) =>
    at % 9 === 0 ? [product, { ...product, publicPrice: at }] : [product],
  )
  const spread = [...repeated, ...products.slice(0, 10)]
  const lines = spread.map((result, index) => `${JSON.stringify({ meta: { total: spread.length, index }, result })}\n`)
  return lines.flatMap((line, at) =>
    at % 40 === 20 ? [line, '{"meta":{"total":1,"index":0},"result":{"na\n'] : [line],
  )
}
