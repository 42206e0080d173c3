import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPipeline } from '../../../src/plan/check-pipeline.ts'
import { readConfigDocument } from '../../../src/config/config-document.ts'
import { contractNames, type ContractName } from '../../../src/contracts/contracts.ts'
import type { Issue } from '../../../src/records/reject.ts'
import { generateLines } from '../../../src/sandbox/data/generate-lines.ts'
import { compileScan } from '../../../src/kernel/program/compile-scan.ts'
import { cases, isDeep, someOf } from '../../depth.ts'
import { compareScan, type ScanComparison } from './compare-scan.ts'
import { createDraw, mutateLine } from './mutate-line.ts'
import { defaultPlan, loadPlan, scanPlans } from './scan-plans.ts'

/** Number of undamaged records. */
const whole = cases(40, 12)

/** Numbers of damaged inputs of six lines each. */
const [few, some, many] = [cases(6, 2), cases(12, 3), cases(16, 3)]

const bothVersions = scanPlans.find(({ contract }) => contract === 'product')!.plan

const contracts = someOf(contractNames, 'v4/product', 'v3/product', 'v4/news-item', 'product', 'raw')

/** Records by contract: most plans are of few contracts. */
const generated = new Map<string, readonly Buffer[]>()

const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url))

describe('the fast path gives what the reference path gives', () => {
  test.each(contracts)(
    'the fast path gives what the reference path gives for generated records of %s, without fallback lines',
    (contract) => {
      const compare = compareScan(defaultPlan(contract), 100_000)
      const lines = generate(contract, cases(30, 10))
      expect(compare(Buffer.concat(lines))).toEqual({ lines: lines.length, fallbackLines: 0 })
    },
  )

  test.each(contracts)(
    'the fast path gives what the reference path gives for records of %s in the loose dialect, with few fallback lines',
    (contract) => {
      const lines = generateLoose(contract, cases(200, 60))
      for (const plan of [defaultPlan(contract), loadPlan(contract, 'filtered')]) {
        const { fallbackLines } = compareScan(plan, 100_000)(Buffer.concat(lines))
        expect(fallbackLines).toBeLessThanOrEqual(lines.length * 0.15)
      }
      const damaged = lines.slice(0, 6)
      expect(compareDamaged(compareScan(loadPlan(contract, 'filtered')), damaged, few)).toBeGreaterThan(few)
    },
  )

  test.each(contracts)('the fast path gives what the reference path gives for damaged lines of %s', (contract) => {
    expect(compareDamaged(compareScan(defaultPlan(contract)), generate(contract, 6), few)).toBeGreaterThan(few)
  })

  test.each(contracts)(
    'the fast path gives what the reference path gives for the content of records of %s',
    (contract) => {
      const compare = compareScan(loadPlan(contract, 'filtered'), 100_000)
      const lines = generate(contract, cases(30, 10))
      expect(compare(Buffer.concat(lines))).toEqual({ lines: lines.length, fallbackLines: 0 })
      expect(compareDamaged(compare, generate(contract, 6), some)).toBeGreaterThan(some)
    },
  )

  test.each([
    [
      'bare objects and lists',
      '{"id":1,"photos":[{"formats":["a"],"organizations":[5,null,{"id":6}]},{"formats":[]},{}]}',
    ],
    [
      'nothing in objects',
      '{"id":1,"name":{},"meta":{},"brands":[{},null,{"name":{}},{"name":{"nl":null}}],"photos":[]}',
    ],
    ['codes in lists', '{"id":"1","ean":[[],["5"],[6],null,7],"atcCategory":[],"cnk":[12,"3"],"gtin":[]}'],
    ['locales in any order', '{"id":1,"name":{"nl_BE":"a","nl":"b","en":"","de":"c","fr":null},"seoName":"plain"}'],
    ['escapes', String.raw`{"id":"1","name":{"nl":"a\u00e9\n\/\u001f\"","fr":"b\\"},"seoName":"\u0041"}`],
    [
      'members in another order',
      '{"vat":1.50,"name":{"fr":"x"},"meta":{"updatedAt":1,"createdAt":2},"id":"A","new":{"a":1}}',
    ],
    [
      'white space',
      '{ "meta" : { "index" : 0 } , "result" : { "id" : 1 , "name" : { "nl" : "x" } , "ean" : [ 1 , 2 ] } }',
    ],
    ['the record first', '{"result":{"name":{"nl":"x"},"id":1},"meta":{"index":0}}'],
    ['one in place of a list', '{"id":1,"bcfiCategory":{"id":2},"ean":"3"}'],
  ])('the fast path gives what the reference path gives for content with %s', (_what, line) => {
    const fallbackLines = (['v4/product', 'v3/product'] as const).map(
      (contract) => compareScan(loadPlan(contract, 'filtered'))(`${line}\n`).fallbackLines,
    )
    expect(fallbackLines).toEqual([0, 0])
  })

  test('the fast path gives what the reference path gives for a locale that is not ASCII', () => {
    const compare = compareScan(loadPlan('v4/product', 'filtered'))
    expect(compare('{"id":1,"name":{"nl":"a","é":"b"}}\n')).toEqual({ lines: 1, fallbackLines: 1 })
  })

  test('the fast path gives what the reference path gives for more locales than the content has room for', () => {
    const name = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`l${at}`, 'x']))
    const compare = compareScan(loadPlan('v4/product', 'filtered'))
    expect(compare(`${JSON.stringify({ id: 'A', name })}\n`)).toEqual({ lines: 1, fallbackLines: 1 })
  })

  test.each(scanPlans)('the fast path gives what the reference path gives for $name', ({ plan, contract }) => {
    const compare = compareScan(plan)
    expect(compare(Buffer.concat(generate(contract, whole))).lines).toBe(2 * whole)
    expect(compareDamaged(compare, generate(contract, 10), many)).toBeGreaterThan(many)
  })

  test('the fast path gives what the reference path gives for products of both versions in one contract', () => {
    const all = (['v3/product', 'v4/product', 'product'] as const).map((contract) =>
      Buffer.concat(generate(contract, whole)),
    )
    for (const plan of [defaultPlan('product'), loadPlan('product', 'filtered'), bothVersions]) {
      const compare = compareScan(plan)
      expect(all.map((lines) => compare(lines))).toEqual(all.map(() => ({ lines: 2 * whole, fallbackLines: 0 })))
      for (const contract of ['v3/product', 'v4/product'] as const)
        expect(compareDamaged(compare, generate(contract, 6), some)).toBeGreaterThan(some)
    }
  })

  test('both paths read the same kind of a photo from any member, null and repeated ones too', () => {
    const compare = compareScan(bothVersions)
    const kind = fc.constantFrom('packshot', 'productshot', 'other', '', null, 7, true)
    const member = fc.tuple(fc.constantFrom('photoType', 'type', 'linkType', 'id', 'locales'), kind)
    const element = fc.array(member, { maxLength: 5 }).map((members) => {
      const texts = members.map(([name, value]) => `"${name}":${JSON.stringify(name === 'locales' ? ['nl'] : value)}`)
      return `{${texts.join(',')}}`
    })
    const elements = fc.array(element, { maxLength: 4 }).map((all) => `[${all.join(',')}]`)
    fc.assert(
      fc.property(fc.array(fc.tuple(elements, elements), { maxLength: 6 }), (records) => {
        const lines = records.map(([photos, links]) => `{"id":"M1","photos":${photos},"links":${links}}\n`)
        expect(compare(lines.join('')).lines).toBe(records.length)
      }),
      { numRuns: cases(150, 30) },
    )
  })

  test('both paths read members named like values of the source, and kinds of a wrong type, alike', () => {
    const compares = [bothVersions, defaultPlan('product'), loadPlan('product', 'filtered')].map((plan) =>
      compareScan(plan),
    )
    const value = fc.constantFrom(
      '"v3"',
      '"v9"',
      'null',
      '7',
      '{}',
      '[]',
      '["packshot"]',
      '{"a":1}',
      '"\\u0041"',
      'true',
    )
    const toMembers = (...names: string[]) =>
      fc
        .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 4 })
        .map((members) => members.map(([name, text]) => `,"${name}":${text}`).join(''))
    const own = toMembers('interfaceVersion', 'documentedPriceUnit', 'interface_version', 'type')
    const element = toMembers('photoType', 'type', 'linkType', 'interfaceVersion')
    fc.assert(
      fc.property(fc.array(fc.tuple(own, element, element), { maxLength: 6 }), (records) => {
        const lines = records.map(
          ([members, photo, link]) =>
            `{"id":"M1","photos":[{"id":1${photo}},{"id":2${link}}],"links":[{"id":1${link}}]${members}}\n`,
        )
        for (const compare of compares) expect(compare(lines.join('')).lines).toBe(records.length)
      }),
      { numRuns: cases(100, 20) },
    )
  })

  const ofSizes = [1, 100, 1_000_000].map((blockBytes) => compareScan(defaultPlan('v4/product'), blockBytes))
  test.each(listFiles('lines', '.ndjson'))('the fast path gives what the reference path gives for %s', (file) => {
    const [lines, ...others] = ofSizes.map((compare) => compare(readFileSync(join(fixtures, 'lines', file))).lines)
    expect(others.length).toBe(2)
    expect(lines).toBeGreaterThanOrEqual(0)
  })

  test('the fast path gives what the reference path gives for any JSON in a record', () => {
    const compare = compareScan(defaultPlan('v4/product'))
    const names = fc.constantFrom('status', 'name', 'vat', 'ean', 'cnk', 'photos', 'meta', 'brands', 'unknown')
    const record = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), (records: readonly object[]) => {
        const { lines } = compare(records.map((each) => `${JSON.stringify({ id: 'M1', ...each })}\n`).join(''))
        expect(lines).toBe(records.length)
      }),
      { numRuns: cases(75, 15) },
    )
  })

  test('the fast path gives what the reference path gives for lines that repeat an id', () => {
    const compare = compareScan(scanPlans[0]!.plan, 1_000_000)
    const repeated = new Map<number, 'drop' | Issue>([
      [1, 'drop'],
      [4, 'drop'],
      [5, { code: 'duplicate_id', path: 'id', message: 'again' }],
    ])
    const lines = generate('v4/product', 4)
    expect(compare(Buffer.concat([...lines, Buffer.from('{"id":7\n'), ...lines]), repeated).lines).toBe(17)
  })

  test('the fast path gives what the reference path gives for a line that takes more room than a block usually does', () => {
    const wide = { id: 'M1', ean: Array.from({ length: 50_000 }, (_, index) => index), name: '\u0007'.repeat(200_000) }
    const photos = Array.from({ length: 20_000 }, () => ({ locales: ['nl', 'fr'] }))
    const compare = compareScan(scanPlans[0]!.plan)
    const lines: object[] = [wide, { id: 'M2', photos }, { id: 'M3' }]
    expect(compare(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).toEqual({ lines: 3, fallbackLines: 0 })
  })
})

/** Configs that the fast path does not support. */
const unknownCases = new Set(['sifted-lists'])

describe('the fast path supports every config of fixtures/cases', async () => {
  const names = readdirSync(join(fixtures, 'cases')).toSorted()
  const planned = await Promise.all(
    names.map(async (name) => ({ name, plan: await planFile(join(fixtures, 'cases', name, 'pipeline.yaml')) })),
  )

  test('the fast path supports every config of fixtures/cases except those with where on list columns', () => {
    const unknown = planned.filter(({ name }) => unknownCases.has(name)).map(({ plan }) => compileScan(plan.records))
    expect(unknown).toEqual([null])
  })

  test.each(planned.filter(({ name }, at) => !unknownCases.has(name) && (isDeep || at % 3 === 0)))(
    'the fast path supports the config of fixtures/cases: $name',
    ({ name, plan }) => {
      const compare = compareScan(plan.records)
      for (const file of listFiles(join('cases', name), '.ndjson'))
        compare(readFileSync(join(fixtures, 'cases', name, file)))
      expect(compareDamaged(compare, generate(plan.records.contract, 4), cases(3, 2))).toBeGreaterThan(cases(3, 2))
    },
  )
})

test.each(['products-analyst', 'products-v3'])('the fast path supports pipelines/%s.yaml', async (name) => {
  const file = fileURLToPath(new URL(`../../../pipelines/${name}.yaml`, import.meta.url))
  const env = { CATALOGUE_URL: 'https://example.com', CATALOGUE_KEY_ID: 'id', CATALOGUE_KEY_SECRET: 'secret' }
  const {
    records,
    records: { contract },
  } = await planFile(file, env)
  expect(compareScan(records)(Buffer.concat(generate(contract, whole)))).toEqual({ lines: 2 * whole, fallbackLines: 0 })
})

test('a null among the codes of a child table gives no row, whatever the form of the codes', () => {
  const { lines } = compareScan(scanPlans[0]!.plan)(
    '{"id":"M1","ean":["5",[],null,[ ],["7"],["8",9],[null]]}\n{"id":"M2","ean":[["1"],[]]}\n',
  )
  expect(lines).toBe(2)
})

async function planFile(file: string, env: Readonly<Record<string, string>> = {}) {
  const { value } = await readConfigDocument(file)
  return checkPipeline(value, { env, needsService: false, now: 0 }).plan!
}

function generateLoose(contract: ContractName, records: number): readonly Buffer[] {
  const text = Buffer.concat([...generateLines({ contract, records, seed: 5, dialect: 'loose' })]).toString()
  return text.split('\n').flatMap((line) => (line === '' ? [] : [Buffer.from(`${line}\n`)]))
}

function generate(contract: ContractName, records: number): readonly Buffer[] {
  const key = `${records} of ${contract}`
  const made = generated.get(key)
  if (made !== undefined) return made
  const chunks = [true, false].flatMap((envelope) => [...generateLines({ contract, records, seed: 3, envelope })])
  const lines = toLines(Buffer.concat(chunks))
  generated.set(key, lines)
  return lines
}

function toLines(text: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(0x0a, start) + 1
    lines.push(text.subarray(start, end))
    start = end
  }
  return lines
}

/** Compares inputs of a few lines, most of them mutated; returns the number of lines. */
function compareDamaged(compare: ScanComparison, lines: readonly Buffer[], inputs: number): number {
  let count = 0
  for (let seed = 0; seed < inputs; seed++) {
    const draw = createDraw(seed)
    const input = Array.from({ length: 6 }, () => {
      const line = lines[draw(lines.length)]!.subarray(0, -1)
      const end = ['\n', '\r\n', '\n \t\n'][draw(20)] ?? '\n'
      return Buffer.concat([draw(4) === 0 ? line : mutateLine(line, draw), Buffer.from(end)])
    })
    count += compare(Buffer.concat(input)).lines
  }
  return count
}

function listFiles(folder: string, ending: string): string[] {
  return readdirSync(join(fixtures, folder)).filter((name) => name.endsWith(ending))
}
