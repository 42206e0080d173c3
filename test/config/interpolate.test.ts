import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ServiceSourcePlan } from '../../src/plan/source/source-plan.ts'
import { interpolate } from '../../src/config/interpolate.ts'
import { checkText, checkValue } from '../plan/check-text.ts'

const env = { NAME: 'brands', EMPTY: '', N: '5', NESTED: '${NAME}' }
const replaced = (value: unknown) => interpolate(value, { env, mayBeUnset: () => false })

describe('environment variables', () => {
  test.each([
    ['${NAME}', 'brands'],
    ['out/${NAME}/${N}.csv', 'out/brands/5.csv'],
    ['${UNSET:-colors}', 'colors'],
    ['${UNSET:-}', ''],
    ['${UNSET:-a:-b}', 'a:-b'],
    ['${NAME:-colors}', 'brands'],
    ['${EMPTY:-colors}', 'colors'],
    ['${EMPTY}', ''],
    ['$${NAME}', '${NAME}'],
    ['$$${NAME}', '$${NAME}'],
    ['$NAME', '$NAME'],
    ['${}', '${}'],
    ['${1A}', '${1A}'],
    ['{NAME}', '{NAME}'],
    ['${NESTED}', '${NAME}'],
    ['', ''],
  ])('a variable in %j is replaced: %j', (written, expected) => {
    expect(replaced(written)).toEqual({ value: expected, problems: [], unset: [], unsetNames: [] })
  })

  test('variables are replaced in every text, at any depth, and in no key', () => {
    expect(replaced({ '${NAME}': [{ a: '${NAME}' }, 7, null, true] })).toEqual({
      value: { '${NAME}': [{ a: 'brands' }, 7, null, true] },
      problems: [],
      unset: [],
      unsetNames: [],
    })
  })

  test('variables that are not set are all listed, with their places', () => {
    expect(replaced({ a: '${X} ${Y}', b: ['${Z}', '${OK:-1}'] }).problems).toEqual([
      { path: ['a'], message: 'environment variable X: expected a value, got nothing (it is not set)' },
      { path: ['a'], message: 'environment variable Y: expected a value, got nothing (it is not set)' },
      { path: ['b', 0], message: 'environment variable Z: expected a value, got nothing (it is not set)' },
    ])
  })

  test('text without ${ stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), (plain) => {
        fc.pre(!plain.includes('${'))
        expect(replaced(plain).value).toBe(plain)
      }),
    )
  })
})

const text = (rest: string): string => `name: \${NAME}\nsource: { files: "\${DIR}/a", contract: v4/brand }\n${rest}`

describe('in a config', () => {
  test('a variable that is not set is a problem at its place', () => {
    expect(checkText(text(''), { env: { NAME: 'x' } })).toEqual([
      '2:18 environment variable DIR: expected a value, got nothing (it is not set)',
    ])
  })

  test('a check sees the value of a variable, not its name', () => {
    expect(checkText(text(''), { env: { NAME: 'a b', DIR: 'd' } })).toEqual([
      '1:7 expected letters, digits, - and _, got text "a b"',
    ])
  })

  test('a number may come from a variable', () => {
    const outputs = 'outputs: [{ format: parquet, rowGroupRows: "${ROWS}" }]\nrejects: { limit: "${LIMIT}" }'
    expect(checkText(text(outputs), { env: { NAME: 'x', DIR: 'd', ROWS: '10', LIMIT: '2%' } })).toEqual([])
    expect(checkText(text(outputs), { env: { NAME: 'x', DIR: 'd', ROWS: 'ten', LIMIT: '2' } })).toEqual([
      expect.stringMatching(/^3:44 expected .*got text "ten"$/),
    ])
  })

  test('check and plan need no address and no credentials', () => {
    const config = {
      name: 'x',
      source: { endpoint: 'v4/brands/query', baseUrl: '${URL}', keyId: '${ID}', keySecret: '${SECRET}' },
    }
    const { problems, plan } = checkValue(config)
    expect(problems).toEqual([])
    expect(plan?.source).toMatchObject({ baseUrl: null })
    expect(checkValue(config, { needsService: true }).problems).toHaveLength(3)
  })

  test('a variable may hold text that looks like another variable', () => {
    const config = {
      name: 'x',
      source: { endpoint: 'v4/brands/query', baseUrl: 'https://api.example.com', keyId: 'k', keySecret: '${SECRET}' },
    }
    const { problems, plan } = checkValue(config, { needsService: true, env: { SECRET: 'a${b}c' } })
    expect(problems).toEqual([])
    expect((plan!.source as ServiceSourcePlan).credentials?.keySecret).toBe('a${b}c')
    expect(checkValue(config).plan!.source).toMatchObject({ credentials: null })
  })

  test('variables of credentials need whole characters', () => {
    const source = {
      endpoint: 'v4/brands/query',
      baseUrl: 'https://api.example.com',
      keyId: 'k',
      keySecret: 'a\uD800b',
    }
    expect(checkValue({ name: 'x', source }, { needsService: true }).problems).toEqual([
      {
        path: ['source', 'keySecret'],
        message: 'keySecret: expected text, got an escape of half a character (a lone surrogate)',
      },
    ])
  })
})
