import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseConfigText, readConfigDocument } from '../../src/config/config-document.ts'
import { definePipeline } from '../../src/config/define-pipeline.ts'
import { toPipelineJsonSchema } from '../../src/config/pipeline-json-schema.ts'
import { checkText, like, locateProblems } from '../plan/check-text.ts'

const quoting = 'put quotes around text with any of { } [ ] , # in it, or with ": "'
const keyValue =
  'not valid YAML: expected one "key: value" a line, with a space after the colon and the indentation of the lines around it; put quotes around text with ": " in it'

describe('text that is no YAML is explained in plain words', () => {
  test.each([
    ['name: a: b', [`1:7 ${keyValue}`]],
    ['name:a\nsource: b', [`1:1 ${keyValue}`]],
    ['source:\n  files: a\n   contract: b', [`2:10 ${keyValue}`]],
    [
      'source:\n    files: a\n  contract: b',
      ['3:1 not valid YAML: expected the same indentation as the keys or entries above'],
    ],
    ['source:\n\tfiles: a', ['2:1 not valid YAML: expected spaces for the indentation, got a tab']],
    ['name: "x\nsource: a\n', ['1:7 not valid YAML: expected a closing quote, got none']],
    ["name: 'x\nsource: a\n", ['1:7 not valid YAML: expected a closing quote, got none']],
    [
      'path: "C:\\data"',
      [
        String.raw`1:10 not valid YAML: expected an escape such as \n or \\ after the backslash: in single quotes a \ is just a \ `.trim(),
      ],
    ],
    [
      'outputs:\n  - { format: csv, path: out/{pipeline}/{table}.csv }\nname: x',
      [`2:30 not valid YAML: not allowed here: ${quoting}`],
    ],
    ['columns: [id, brands[0].name]', [`1:21 not valid YAML: expected a comma between the entries; ${quoting}`]],
    ['{ "name": "a", "x": { "y": 1 }', [/^1:31 not valid YAML: expected a closing } at or before this place/]],
    ['{ "name": "a",, "x": 1 }', [/^1:15 not valid YAML: not allowed here/]],
    ['files: *.ndjson', [/^1:8 not valid YAML: expected an alias .* put quotes around text that begins with \*$/]],
    ['name: @a', [/^1:7 not valid YAML: expected text, got a character that it cannot begin with/]],
    ['name: a\n---\nname: b', ['2:1 not valid YAML: expected one config in a file, got a second one after ---']],
    ['a: &x 1\nb:\n  <<: *x', ['3:3 not valid YAML: expected an alias of an object, or a list of them, after <<']],
  ])('%j', (text, expected) => {
    expect(checkText(text)).toEqual(expected.map(like))
  })

  test('YAML mistakes on several lines are all listed, one a line', () => {
    const problems = checkText('name: a: b: c\nwhere: @x\nlocales: [nl]\n')
    expect(problems.map((problem) => problem.slice(0, 4))).toEqual(['1:7 ', '2:8 '])
  })
})

describe('a small YAML mistake hides no other problem', () => {
  test('a key that is written twice hides no other problem', () => {
    expect(checkText('name: x\nname: y!\nsource: { files: a, contract: v4/brand }')).toEqual([
      '2:1 expected each key once in its object, got this one again',
      '2:7 expected letters, digits, - and _, got text "y!"',
    ])
  })

  test('a YAML tag hides no other problem', () => {
    expect(checkText('name: !x y\nsource: { files: a, contract: v4/brand }\nlocales: [xq]')).toEqual([
      '1:7 expected no YAML tag (!…): put quotes around text that begins with !',
      '3:11 unknown locale "xq", expected a code such as nl, fr, en or en_AU',
    ])
  })

  test('a text block in the place of the delimiter | hides no other problem', () => {
    const text =
      'name: x\nsource: { files: a, contract: v4/brand }\noutputs:\n  - format: csv\n    delimiter: |\n    bom: true\n'
    expect(checkText(text)).toContain(
      '5:16 expected text, got | or >, which begin a block of lines: put quotes around them',
    )
  })

  test('an unquoted decimal type in braces hides no other problem', () => {
    const text =
      'name: x\nsource: { files: a, contract: v4/product }\ntables:\n  p: { columns: [{ from: publicPrice, as: decimal(12,2) }] }'
    expect(checkText(text).at(-1)).toBe(
      '4:54 unknown key "2)": a comma begins the next entry, put quotes around "decimal(…,2)"',
    )
  })
})

describe('anchors, aliases and merge keys', () => {
  const base = 'name: x\nsource: { files: a, contract: v4/product }\n'

  test('an alias has the value of its anchor', () => {
    const text = `name: brands
source: &source
  <<: { contract: v4/product }
  contract: v4/brand
  files: a
tables:
  brands: &table { columns: [&id id, name] }
  other:
    <<: *table
    exclude: [name]
`
    expect(checkText(text)).toEqual([])
    expect(parseConfigText('x', text).value).toEqual({
      name: 'brands',
      source: { contract: 'v4/brand', files: 'a' },
      tables: { brands: { columns: ['id', 'name'] }, other: { columns: ['id', 'name'], exclude: ['name'] } },
    })
  })

  test('a problem in the value of an alias is shown at its anchor', () => {
    const text = `${base}tables:\n  a: &t { columns: [idd] }\n  b: *t\n  c:\n    <<: *t\n    exclude: []\n`
    expect(checkText(text)).toEqual(
      Array.from({ length: 3 }, () => '4:21 unknown field "idd" in path "idd"; did you mean "id"?'),
    )
  })

  test('an alias of an object that contains it is a problem', () => {
    expect(checkText('name: x\nsource: &s { filter: *s }')).toEqual([
      '2:22 expected a value, got an alias of what it is part of',
    ])
  })

  test('aliases that multiply are refused', () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(10).fill(`*a${level}`).join(', ')}]`,
    )
    expect(checkText(`a0: &a0 [x]\n${levels.join('\n')}`)).toEqual([
      '1:1 the aliases (*…) repeat far more text than a config has',
    ])
  })
})

describe('forms of a config file', () => {
  const config = 'name: x\nsource:\n  files: a\n  contract: v4/brnd\n'
  const expected = [expect.stringMatching(/^4:13 unknown contract "v4\/brnd"/)]

  test('a config with CRLF line ends is read', () => {
    const problems = locateProblems(config.replaceAll('\n', '\r\n'))
    expect(problems).toMatchObject([{ line: 4, column: 13, excerpt: '  contract: v4/brnd', mark: 12 }])
  })

  test.each([['yaml'], ['yml'], ['json'], ['conf']])('a config with the extension %s is read', async (extension) => {
    const file = join(folder, `pipeline.${extension}`)
    await writeFile(file, config)
    const { value, problems } = await readConfigDocument(file)
    expect({ value, problems }).toEqual({
      value: { name: 'x', source: { files: 'a', contract: 'v4/brnd' } },
      problems: [],
    })
  })

  test('a config with a byte order mark is read', async () => {
    const file = join(folder, 'bom.yaml')
    await writeFile(file, `\uFEFF${config}`)
    expect((await readConfigDocument(file)).value).toMatchObject({ name: 'x' })
    await writeFile(file, `\uFEFF{ "nmae": "x" }`)
    const document = await readConfigDocument(file)
    expect(document.locate({ path: ['nmae'], atKey: true, message: '' })).toMatchObject({ line: 1, column: 3 })
  })

  test('a config in JSON is read', () => {
    const json = JSON.stringify({ name: 'x', source: { files: 'a', contract: 'v4/brnd' } }, null, 2)
    expect(checkText(json)).toEqual(expected.map(() => expect.stringMatching(/^5:17 unknown contract/)))
  })
})

describe('modules', () => {
  const config = `{ name: 'x', source: { files: 'a', contract: 'v4/brand' } }`

  test.each([
    ['default.ts', `type C = { name: string }\nexport default ${config} satisfies C`],
    ['define.ts', `import { definePipeline } from 'catalogue-etl'\nexport default definePipeline(${config})`],
    ['default.mjs', `export default ${config}`],
    ['common.cjs', `module.exports = ${config}`],
    ['common.js', `module.exports = ${config}`],
    ['computed.js', `export default { ...${config}, locales: ['n' + 'l'] }`],
  ])('%s', async (name, code) => {
    await writeFile(join(folder, name), code)
    const { value, problems } = await readConfigDocument(join(folder, name))
    expect(problems).toEqual([])
    expect(value).toMatchObject({ name: 'x', source: { files: 'a' } })
  })

  test.each([
    ['none.ts', 'export const config = {}'],
    ['empty.ts', ''],
  ])('%s has no default export', async (name, code) => {
    await writeFile(join(folder, name), code)
    const { problems } = await readConfigDocument(join(folder, name))
    expect(problems.map(({ message }) => message)).toEqual([
      'expected a default export, such as definePipeline({…}), got none',
    ])
  })

  test.each([
    ['throws.ts', `throw new Error('no\\n way')`, 'expected a readable config, got: no way'],
    ['imports.ts', `import './missing.ts'`, `expected a readable config, got: Cannot find module './missing.ts'`],
    [
      'syntax.ts',
      `export default { name: 'x' source: 1 }`,
      /got: ParseError: Unexpected token, expected "," .*syntax\.ts:1:27$/,
    ],
  ])("%s can't be read", async (name, code, message) => {
    const file = join(folder, name)
    await writeFile(file, code)
    await expect(readConfigDocument(file)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringMatching(message instanceof RegExp ? message : new RegExp(`${message}$`)),
    })
  })

  test('a problem in a module is shown by its path', async () => {
    const { locate } = await readConfigDocument(join(folder, 'default.ts'))
    const located = locate({ path: ['tables', 'p', 'columns', 2], message: 'wrong' })
    expect(located).toEqual({ file: join(folder, 'default.ts'), path: ['tables', 'p', 'columns', 2], message: 'wrong' })
  })

  test('definePipeline gives back its config', () => {
    const given = { name: 'x', source: { files: 'a', contract: 'v4/brand' } } as const
    expect(definePipeline(given)).toBe(given)
  })
})

describe("files that can't be read", () => {
  test.each([
    ['nowhere.yaml', 'expected a config file, got nothing there'],
    ['nowhere.ts', 'expected a config file, got nothing there'],
    ['.', 'expected a config file, got a folder (use *.yaml)'],
  ])('%s', async (name, message) => {
    const file = name === '.' ? name : join(folder, name)
    await expect(readConfigDocument(file)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `${file}: ${message}`,
    })
  })

  test.each([
    ['UTF-16', Buffer.from('\uFEFFname: x', 'utf16le')],
    ['binary data', Buffer.from([0x80, 0xff, 0x00])],
  ])('%s', async (_, bytes) => {
    const file = join(folder, 'bytes.yaml')
    await writeFile(file, bytes)
    await expect(readConfigDocument(file)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: `${file}: expected UTF-8 text, got other bytes: save the file as UTF-8`,
    })
  })

  test('data in place of a config is refused at once', async () => {
    const file = join(folder, 'data.ndjson')
    await writeFile(file, Buffer.alloc(5 * 2 ** 20, '{}\n'))
    await expect(readConfigDocument(file)).rejects.toThrow(`${file}: expected a config of at most 4 MiB, got 5 MiB: `)
  })
})

describe('excerpts', () => {
  test('an excerpt of a long line shows only the part around the problem', () => {
    const text = JSON.stringify({ $schema: 'x'.repeat(5000), nmae: 'a', name: 'x', where: 'y'.repeat(5000) })
    const problem = locateProblems(text).find(({ message }) => message.startsWith('unknown key'))
    expect(problem!.excerpt!.length).toBeLessThanOrEqual(122)
    expect(problem!.excerpt!.slice(problem!.mark)).toMatch(/^"nmae"/)
  })

  test('an excerpt holds no control character', () => {
    const [problem] = locateProblems('nmae: "a\u001b[2Jb"\tx\n')
    expect(problem!.excerpt).not.toMatch(/\p{Cc}/u)
  })
})

test('the schema for editors names every contract and endpoint', () => {
  const { properties } = toPipelineJsonSchema() as {
    properties: { source: { properties: Record<string, { enum: string[] }> } }
  }
  const { contract, endpoint } = properties.source.properties
  expect(contract!.enum).toContain('v4/product')
  expect(endpoint!.enum).toContain('v4/products/stream')
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-document-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a code without quotes', () => {
  test.each([
    ['05412345678908', '05412345678908', '5412345678908'],
    ['00', '00', '0'],
    ['+012', '+012', '12'],
    ['[5412345678908, 0541]', '0541', '541'],
    ['99999999999999999', '99999999999999999', '100000000000000000'],
  ])('an unquoted code that would lose digits as a number is a problem: %s', (value, written, number) => {
    const problems = parseConfigText('config.yaml', toConfig(value)).problems
    const expected = `expected a code in quotes ("${written}"), got a number, which becomes ${number}`
    expect(problems.map(({ message }) => message)).toEqual([expected])
  })

  test('an unquoted code in a filter is a problem at its place', () => {
    const text = 'name: a\nsource:\n  endpoint: v4/products/stream\n  filter: { ean: 05412345678908 }'
    expect(checkText(text)).toContainEqual(
      '4:18 expected a code in quotes ("05412345678908"), got a number, which becomes 5412345678908',
    )
  })

  test.each(['"05412345678908"', '5412345678908', '0', '0.5', "'00'"])(
    'is none with quotes or with every digit: %s',
    (value) => {
      expect(parseConfigText('config.yaml', toConfig(value)).problems).toEqual([])
    },
  )
})

function toConfig(code: string): string {
  return `name: a\nsource: { files: x, contract: v4/product }\nwhere: { eanGtin13: ${code} }`
}
