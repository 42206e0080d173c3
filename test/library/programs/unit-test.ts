import { catalogue, service } from '../../../src/index.ts'
import { startSandbox } from '../../../src/sandbox.ts'

const { close, baseUrl, keyId, keySecret } = await startSandbox({ products: 20, rateLimit: false, images: false })
const source = service({ endpoint: 'v4/products/stream', baseUrl, keyId, keySecret })
const products = catalogue('v4/product').from(source)
console.log((await products.rows('products', { columns: ['id'] }).toArray()).length)
await close()
