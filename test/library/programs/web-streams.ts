import { readFile } from 'node:fs/promises'
import { catalogue } from '../../../src/index.ts'

const { body } = new Response(await readFile('export.ndjson.gz'))
if (body === null) throw new Error('expected an answer')
const products = catalogue('v4/product').from(body)
const rows = products.rows('products', { columns: ['id', 'cnk'] })
const text = rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)).toWeb()
console.log((await new Response(text).text()).length)
