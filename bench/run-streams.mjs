/*
 * The composition of the library's streams as a process of its own: node run-streams.mjs LIBRARY INPUT OUTPUT. One thread
 * of JavaScript, everything checked as `run` does it.
 */
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'

const [library, input, output] = process.argv.slice(2)
const { contracts, flattenRecords, parseRecords, splitLines, toCsv, trackCompleteness, validateRecords } = await import(
  pathToFileURL(library).href
)
const { locales, tables } = parse(readFileSync(new URL('columns-51.yaml', import.meta.url), 'utf8'))
const contract = contracts['v4/product']

await pipeline(
  createReadStream(input, { highWaterMark: 1 << 20 }),
  splitLines(),
  parseRecords(),
  trackCompleteness(),
  validateRecords(contract),
  flattenRecords({ contract, table: 'products', locales, ...tables.products }),
  toCsv(),
  createWriteStream(output),
)
