import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startCpuTime } from '../cpu-time.ts'
import { cases, someOf } from '../depth.ts'
import { checkText, checkValue, like, locateProblems } from '../plan/check-text.ts'

const base = 'name: x\nsource: { files: a, contract: v4/product }\n'

describe('keys that JavaScript knows', () => {
  test.each([
    ['__proto__: { name: y }', '3:1 unknown key "__proto__"'],
    ['tables: { p: {}, __proto__: { columns: all } }', '3:18 unknown key "__proto__"'],
    ['where: { __proto__: { status: active } }', '3:10 unknown key "__proto__"'],
    ['constructor: 1', /^3:1 unknown key "constructor"/],
    [
      'questions: { "my question": select 1 }',
      '3:14 expected small letters, digits and - in the name, got text "my question"',
    ],
    ['where: { constructor: x }', /^3:10 unknown field "constructor"/],
    ['tables: { p: { columns: [__proto__] } }', /^3:26 unknown field "__proto__"/],
    ['tables: { p: { columns: [toString] } }', /^3:26 unknown field "toString"/],
    ['outputs: [{ format: constructor }]', /^3:21 expected one of parquet, csv, ndjson/],
    ['outputs: [{ format: csv, tables: [__proto__] }]', /^3:35 unknown table "__proto__"/],
  ])('%s', (text, expected) => {
    expect(checkText(base + text)).toEqual([like(expected)])
  })

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])('%s is no contract and no endpoint', (name) => {
    expect(checkText(`name: x\nsource: { files: a, contract: ${name} }`)).toEqual([
      expect.stringMatching(`unknown contract "${name}"`),
    ])
    expect(checkText(`name: x\nsource: { endpoint: ${name} }`)).toEqual([expect.stringMatching('unknown endpoint')])
  })

  test('keys such as __proto__ in a config change no prototype', () => {
    checkText(`${base}__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }`)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('a table may be named like a property of every object', () => {
    expect(checkText(`${base}tables: { constructor: {}, toString: { each: "photos[]" } }`)).toEqual([])
  })
})

describe('deep and large configs', () => {
  test.each(
    someOf<[number, string]>(
      [
        [10, 'expected text'],
        [100, 'nested too deeply'],
        [500, 'nested too deeply'],
        [5000, 'nested too deeply'],
        [100_000, 'nested too deeply'],
      ],
      [10, 'expected text'],
      [5000, 'nested too deeply'],
    ),
  )('%d levels of nesting are a problem', (levels, message) => {
    const nested = `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(checkText(`${base}where: { status: ${nested} }`)).toEqual([expect.stringContaining(message)])
  })

  test('10,000 levels of objects are a problem', () => {
    expect(checkText(`${base}where: ${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}`)[0]).toMatch('nested too deeply')
  })

  test('a value that holds itself is a problem', () => {
    const filter: Record<string, unknown> = {}
    filter['and'] = [filter, filter]
    const { problems } = checkValue({ name: 'x', source: { endpoint: 'v4/brands/query', filter } })
    expect(problems.map(({ message }) => message)).toEqual([
      'expected a value, got an alias of what it is part of',
      'expected a value, got an alias of what it is part of',
    ])
  })

  test('many codes and columns are checked in time that grows with them', () => {
    const columnCount = cases(2000, 500)
    const codes = Array.from({ length: 10 * columnCount }, (_, index) => String(1_000_000 + index)).join(', ')
    const columns = Array.from({ length: columnCount }, (_, index) => `{ column: c${index}, from: nme }`).join(', ')
    const config = `${base}where: { cnk: [${codes}] }\ntables: { p: { columns: [${columns}] } }`
    const cpuMs = startCpuTime()
    expect(checkText(config)).toHaveLength(columnCount)
    expect(cpuMs()).toBeLessThan(20_000)
  })

  test('a config of one megabyte-long word is checked quickly', () => {
    const cpuMs = startCpuTime()
    expect(checkText(`name: "${'secret'.repeat(200_000)}\n`)).toHaveLength(1)
    expect(checkText('a'.repeat(1_000_000))).toHaveLength(1)
    expect(cpuMs()).toBeLessThan(5000)
  })
})

describe('random configs', () => {
  const words = [
    'name',
    'source',
    'files',
    'tables',
    'columns',
    ': ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '\n',
    '  ',
    '"',
    "'",
  ]
  const pieces = [...words, '&a', '*a', '<<', '!t', '|', '>', '#', '${A}', '%', '@', '\t', '---', '__proto__', '1', 'x']

  test('any pieces of YAML end in a list of problems', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const lines = text.split('\n')
        for (const { line, column, excerpt, mark } of locateProblems(text)) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(line).toBeLessThanOrEqual(lines.length)
          expect(column).toBeLessThanOrEqual(lines[line! - 1]!.length + 1)
          expect(mark).toBeLessThanOrEqual(Math.max(excerpt!.length, column! - 1))
        }
      }),
      { numRuns: cases(1500) },
    )
  })

  test('any values in the places of a config end in a list of problems', () => {
    const keys = ['name', 'source', 'contract', 'locales', 'where', 'tables', 'outputs', 'rejects', 'manifest', 'x']
    const inner = ['files', 'contract', 'endpoint', 'filter', 'p', 'each', 'columns', 'format', 'path', 'limit', 'from']
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(
          'v4/product',
          'csv',
          'id',
          'photos[]',
          'all',
          'v4/brands/query',
          '',
          null,
          true,
          0,
          -1,
          1e9,
        ),
        fc.string(),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...inner, ...keys), tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), tree), fc.boolean(), (config, needsService) => {
        const { problems, plan } = checkValue(config, { needsService })
        expect(plan === null).toBe(problems.length > 0)
      }),
      { numRuns: cases(1500) },
    )
  })
})
