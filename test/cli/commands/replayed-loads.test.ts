import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox, type Sandbox } from '../../../src/sandbox/start-sandbox.ts'
import type { ProcessEnd } from '../built-cli.ts'
import { runInFolder } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

/** Four of them with wrong values. */
const products = 800
let folder: RunFolder
let sandbox: Sandbox

beforeAll(async () => {
  ;[folder, sandbox] = await Promise.all([
    RunFolder.create(),
    startSandbox({ products, rateLimit: false, dialect: 'loose' }),
  ])
})
afterAll(async () => {
  await sandbox.close()
  await folder.remove()
})

const run = (...args: string[]): Promise<ProcessEnd> => runInFolder(folder.path, args)

const columns = 'tables: { products: { columns: [id, status, cnk] } }'
const merged = '{ format: ndjson, mode: merge, path: "out/{pipeline}/{table}.ndjson" }'

test('corrected records of a load from the service are a delta on what is published', async () => {
  const config = await folder.write('night.yaml', toServiceConfig('night', `incremental: {}\noutputs: [${merged}]`))
  await run('run', config, '--set', 'rejects.limit=100%')
  const before = await readRows('night')
  const rejects = await readRejects('night')
  expect(rejects.length).toBeGreaterThan(3)
  const fixed = rejects.slice(1)
  await writeFixed(fixed.map((reject) => ({ ...reject, raw: toFixed(reject) })))
  const end = await run('rejects', 'replay', config, '--fixed', 'fixed.ndjson', '--json')
  expect(end).toMatchObject({ code: 0 })
  const report = reportOf(end)
  expect(report.ledger).toMatchObject({ lines: rejects.length, rejected: 1, accepted: fixed.length })
  expect(report.replayed?.lines).toBe(fixed.length)
  expect(report.state).toMatchObject({
    kind: 'delta',
    changes: { new: fixed.length, removed: 0 },
    stale: { records: 1 },
  })
  const after = await readRows('night')
  expect(after.filter((row) => before.includes(row))).toEqual(before)
  expect(after).toHaveLength(before.length + fixed.length)
  expect(await readRejects('night')).toEqual(rejects.slice(0, 1))
  const next = reportOf(await run('run', config, '--json', '--set', 'rejects.limit=100%'))
  expect(next.state).toMatchObject({ kind: 'delta', changes: { new: 0, changed: 0, removed: 0 } })
  expect(await readRows('night')).toEqual(after)
})

test('rejects replay refuses a corrected line that was not among the rejects of a load', async () => {
  const [reject] = await readRejects('night')
  await writeFixed([{ ...reject!, raw: toFixed(reject!), line: 199_999 }])
  const end = await run('rejects', 'replay', folder.at('night.yaml'), '--fixed', 'fixed.ndjson', '--log', 'text')
  expect(end.code).toBe(3)
  expect(end.stderr).toContain('expected a line that is in out/night/_rejects.ndjson, got ')
})

test('rejects replay refuses a full load from the service, and says what to do instead', async () => {
  const config = await folder.write(
    'snap.yaml',
    toServiceConfig('snap', `outputs: [{ format: ndjson, path: "out/{pipeline}/{table}.ndjson" }]`),
  )
  await run('run', config, '--set', 'rejects.limit=100%')
  const rejects = await readRejects('snap')
  await writeFixed(rejects.map((reject) => ({ ...reject, raw: toFixed(reject) })))
  const end = await run('rejects', 'replay', config, '--fixed', 'fixed.ndjson', '--log', 'text')
  expect(end.code).toBe(2)
  expect(end.stderr).toContain('catalogue-etl fetch CONFIG --to FILE')
  await run('fetch', config, '--to', 'landed.ndjson.gz')
  await run('run', config, '--from', 'landed.ndjson.gz', '--set', 'rejects.limit=100%')
  const landed = await readRejects('snap')
  await writeFixed(landed.map((reject) => ({ ...reject, raw: toFixed(reject) })))
  const again = await run(
    'rejects',
    'replay',
    config,
    '--from',
    'landed.ndjson.gz',
    '--fixed',
    'fixed.ndjson',
    '--json',
  )
  expect(reportOf(again)).toMatchObject({
    ledger: { lines: products, accepted: products },
    completeness: { status: 'proven' },
    sources: [{ landed: { endpoint: 'v4/products/stream' } }],
  })
})

test('corrected records of a merge of files are merged, with every other record as it was', async () => {
  const good = Array.from({ length: 20 }, (_, at) => JSON.stringify({ id: `P${at}`, cnk: '1234567' }))
  const lines = good.map((line, at) => (at % 4 === 1 ? line.replace('"1234567"', '{}') : line))
  await folder.write('in.ndjson', `${lines.join('\n')}\n`)
  const outputs = `outputs: [${merged}, { format: csv, mode: history, path: "out/{pipeline}/{table}-history.csv" }]`
  const source = 'source: { files: in.ndjson, contract: v4/product }'
  const config = await folder.write(
    'merge.yaml',
    `name: merge\n${source}\nrejects: { limit: 100% }\n${columns}\n${outputs}\n`,
  )
  await run('run', config)
  const before = await readRows('merge')
  const rejects = await readRejects('merge')
  await writeFixed(rejects.map((reject) => ({ ...reject, raw: good[reject.line - 1]! })))
  const end = await run('rejects', 'replay', config, '--fixed', 'fixed.ndjson', '--json')
  expect(reportOf(end).state?.changes).toMatchObject({ new: 5, unchanged: 15, changed: 0, removed: 0 })
  const after = await readRows('merge')
  expect(after.filter((row) => before.includes(row))).toEqual(before)
  expect(after).toHaveLength(20)
})

interface Reject {
  readonly line: number
  readonly raw: string
  readonly issues: readonly { readonly path: string }[]
}

function toServiceConfig(name: string, rest: string): string {
  const { baseUrl, keyId, keySecret } = sandbox
  const access = JSON.stringify({ endpoint: 'v4/products/stream', baseUrl, keyId, keySecret })
  return `name: ${name}\nsource: ${access}\n${columns}\n${rest}\n`
}

/** Replaces the wrong value of the line by null. */
function toFixed({ raw, issues }: Reject): string {
  const line = JSON.parse(raw) as Record<string, unknown>
  const record = (line['result'] ?? line) as Record<string, unknown>
  for (const { path } of issues) record[path.split(/[.[]/)[0]!] = null
  return JSON.stringify(line)
}

async function readRejects(pipeline: string): Promise<Reject[]> {
  const text = await readFile(folder.at(`out/${pipeline}/_rejects.ndjson`), 'utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Reject]))
}

async function writeFixed(rejects: readonly object[]): Promise<void> {
  await folder.write('fixed.ndjson', rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''))
}

async function readRows(pipeline: string): Promise<string[]> {
  const text = await readFile(folder.at(`out/${pipeline}/products.ndjson`), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

function reportOf({ stdout, stderr }: ProcessEnd): Manifest {
  const [first] = (JSON.parse(stdout) as { runs: { report?: Manifest }[] }).runs
  expect(stderr).not.toContain('run.failed')
  return first!.report!
}
