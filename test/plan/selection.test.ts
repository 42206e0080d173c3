import { expect, test } from 'vitest'
import { checkPipeline } from '../../src/plan/check-pipeline.ts'
import { listEdits, type Selection } from '../../src/plan/selection.ts'
import { toFileSource } from '../../src/plan/to-file-source.ts'

const source = { endpoint: 'v4/products/stream', baseUrl: 'https://example.com', filter: { status: ['active'] } }
const config = { name: 'products', source, where: { vat: 6 } }

function select(written: unknown, { env = {}, from }: { env?: Record<string, string>; from?: string } = {}): Selection {
  const value = from === undefined ? written : toFileSource(written, [from], env)
  const options = { env, needsService: false, now: 0, ...(from !== undefined && { ownConfig: written }) }
  const { plan, problems } = checkPipeline(value, options)
  expect(problems).toEqual([])
  return plan?.limits.selection ?? {}
}

function named(files: string) {
  return { name: 'products', source: { files, contract: 'v4/product' } }
}

test('a selection has every key that selects records, and no addresses, outputs or columns', () => {
  const before = select(config)
  const others = {
    ...config,
    source: { ...source, baseUrl: 'https://example.org' },
    locales: ['nl'],
    outputs: [{ format: 'ndjson' }],
  }
  expect(listEdits(before, select(others))).toEqual([])
  const edited = { ...config, where: { vat: 21 }, source: { ...source, filter: {} }, duplicates: 'last' }
  expect(listEdits(before, select(edited))).toEqual(['where', 'source.filter', 'duplicates'])
  expect(listEdits(before, select({ ...config, where: {} }))).toEqual(['where'])
})

test('a selection comes from the config even if --from replaces the source', () => {
  expect(listEdits(select(config), select(config, { from: 'landed.ndjson' }))).toEqual([])
})

test('a selection comes from the config before variables are replaced, and ignores digits in file names', () => {
  const ofDay = (env: Record<string, string>) => select(named('${EXPORT}'), { env })
  expect(listEdits(ofDay({ EXPORT: 'a.ndjson' }), ofDay({ EXPORT: 'b.ndjson' }))).toEqual([])
  const night = select(named('data/2026-11-23.ndjson'))
  expect(listEdits(night, select(named('data/2026-12-01.ndjson')))).toEqual([])
  expect(listEdits(night, select(named('old/2026-11-23.ndjson')))).toEqual(['source.files'])
})
