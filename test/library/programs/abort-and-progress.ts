import { catalogue } from '../../../src/index.ts'

const stop = new AbortController()
const products = catalogue('v4/product').from('export.ndjson.gz')
const reading = products.rows('products').forEach(
  () => {
    if (products.report().ledger.accepted >= 40) stop.abort()
  },
  { signal: stop.signal },
)
console.log(await reading.catch((error: unknown) => (error as { code: string }).code))
console.log(products.report().ledger.lines > 0)
