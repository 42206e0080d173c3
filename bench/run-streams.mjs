/*
 * The library's streams as a process of its own: node run-streams.mjs LIBRARY WAY INPUT OUTPUT, where WAY is `readRows`, or
 * `composed` for one stage after the other. One thread of JavaScript, everything checked as `run` does it.
 */
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'

const [library, way, input, output] = process.argv.slice(2)
const { contracts, flattenRecords, parseRecords, readRows, splitLines, toCsv, trackCompleteness, validateRecords } =
  await import(pathToFileURL(library).href)
const { locales, tables } = parse(readFileSync(new URL('columns-51.yaml', import.meta.url), 'utf8'))
const contract = contracts['v4/product']
const options = { contract, table: 'products', locales, ...tables.products }

const toRows = {
  readRows: () => [readRows(options)],
  composed: () => [
    splitLines(),
    parseRecords(),
    trackCompleteness(),
    validateRecords(contract),
    flattenRecords(options),
  ],
}[way]

await pipeline(createReadStream(input, { highWaterMark: 1 << 20 }), ...toRows(), toCsv(), createWriteStream(output))
