/*
 * Each stage of the library alone: node measure-stages.mjs LIBRARY INPUT. Prints the MB of input a second, by CPU time, of
 * 51 columns. The items that a stage gets are made before; a first part of the input warms it up.
 */
import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'

const [library, input] = process.argv.slice(2)
const streams = await import(pathToFileURL(library).href)
const { locales, tables } = parse(readFileSync(new URL('columns-51.yaml', import.meta.url), 'utf8'))
const contract = streams.contracts['v4/product']
const options = { contract, table: 'products', locales, ...tables.products }
const columns = streams.columnsOf(options)
const partBytes = 40_000_000
const parts = 3

const toRows = [
  ['splitLines', () => streams.splitLines()],
  ['parseRecords', () => streams.parseRecords()],
  ['trackCompleteness', () => streams.trackCompleteness({ completeness: 'report' })],
  ['validateRecords', () => streams.validateRecords(contract)],
  ['flattenRecords', () => streams.flattenRecords(options)],
]
const encoders = [
  ['toCsv', () => streams.toCsv({ columns })],
  ['toNdjson', () => streams.toNdjson({ columns })],
  ['toParquet', () => streams.toParquet({ columns })],
]

for (const [index, [name, create]] of toRows.entries()) await measure(name, create, toRows.slice(0, index))
for (const [name, create] of encoders) await measure(name, create, toRows)
await measure('readRows', () => streams.readRows({ ...options, completeness: 'report' }), [])

async function measure(name, create, before) {
  let seconds = 0
  for (let part = 0; part < parts; part++) {
    let items = readPart(part)
    for (const [, createBefore] of before) items = await collect(items, createBefore())
    const start = process.cpuUsage()
    await pass(items, create(), () => {})
    const { user, system } = process.cpuUsage(start)
    if (part > 0) seconds += (user + system) / 1e6
  }
  console.log(`${name.padEnd(20)}${Math.round(((parts - 1) * partBytes) / 1e6 / seconds)} MB/s`)
}

/** Chunks of 1 MiB of some whole lines. */
function readPart(part) {
  const bytes = readFileSync(input).subarray(part * partBytes, (part + 1) * partBytes)
  const lines = bytes.subarray(bytes.indexOf('\n') + 1, bytes.lastIndexOf('\n') + 1)
  return Array.from({ length: Math.ceil(lines.length / 2 ** 20) }, (_, at) =>
    lines.subarray(at * 2 ** 20, (at + 1) * 2 ** 20),
  )
}

async function collect(items, stage) {
  const given = []
  await pass(items, stage, (item) => given.push(item))
  return given
}

async function pass(items, stage, take) {
  const objectMode = !Buffer.isBuffer(items[0])
  const sink = new Writable({ objectMode: true, write: (item, _encoding, done) => (take(item), done()) })
  await pipeline(Readable.from(items, { objectMode }), stage, sink)
}
