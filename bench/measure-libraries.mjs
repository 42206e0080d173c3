/*
 * The CPU time of libraries that the hot path does without: node bench/measure-libraries.mjs INPUT.ndjson ROWS.csv, where
 * ROWS.csv is what a run has made of INPUT. Prints the median of three, and what the same work takes on bytes or in a loop.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify'
import split2 from 'split2'

const [input, csv] = process.argv.slice(2)
const rows = parse(readFileSync(csv), { relax_column_count: true })
const special = /[",\r\n]/

const jobs = {
  'split2: lines as text': () => pipeline(readInput(), split2(), sink()),
  'line breaks in bytes': async () => {
    for await (const chunk of readInput()) for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1));
  },
  'csv-stringify': () => pipeline(Readable.from(rows), stringify(), sink()),
  'a loop that quotes the same': () => {
    const encoder = new TextEncoder()
    for (let at = 0; at < rows.length; at += 200)
      encoder.encode(
        rows
          .slice(at, at + 200)
          .map(toLine)
          .join(''),
      )
  },
}

for (const [name, work] of Object.entries(jobs)) {
  const seconds = []
  for (let turn = 0; turn < 3; turn++) seconds.push(await measure(work))
  console.log(`${name.padEnd(30)}${seconds.toSorted((a, b) => a - b)[1].toFixed(2)} s`)
}

async function measure(work) {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

function readInput() {
  return createReadStream(input, { highWaterMark: 2 ** 20 })
}

function sink() {
  return new Writable({ objectMode: true, write: (_chunk, _encoding, done) => done() })
}

function toLine(row) {
  return `${row.map((cell) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`
}
