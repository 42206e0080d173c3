import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { contracts, readRows, toNdjson } from '../../../../src/streams.ts'

const { body } = new Response(await readFile('export.ndjson.gz'))
if (body === null) throw new Error('expected an answer')
const text = toNdjson()
const piped = pipeline(
  Readable.fromWeb(body),
  createGunzip(),
  readRows({ contract: contracts['v4/product'], table: 'products', columns: ['id', 'cnk'] }),
  text,
)
const answer = new Response(Readable.toWeb(text))
const [written] = await Promise.all([answer.text(), piped])
console.log(written.length)
