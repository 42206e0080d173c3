import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widthOf } from '../../../src/text/text-width.ts'
import { runInMemory } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

/* What people read fits into their terminal. Words stay whole: a line may be wider by a path or a long name alone. */

const lineStart = new RegExp(`\\n|${String.fromCharCode(27)}\\[[?\\d;]*[A-Za-z]`)

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('products.ndjson', 'v4/product', 30)
  const wide =
    '{"id":"M1","name":{"nl":"語語語語語語語語語語語語語語語語語語語語 😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀"},"strange":1}\n'
  await folder.write('wide.ndjson', wide)
  await folder.write(
    'wrong.yaml',
    `name: x\nsource: { files: "${'語'.repeat(90)}", contrat: v4/product }\nlocales: [xq]\n`,
  )
  await folder.write('users.csv', `email,firstName\n${'a'.repeat(30)}@example.com,語語\nnonsense,B\n`)
  const source = (file: string) => `{ files: ${JSON.stringify(folder.at(file))}, contract: v4/product }`
  const outputs = `outputs: [{ format: csv, path: '${folder.at('out/{table}.csv')}' }]`
  config = await folder.write('p.yaml', `name: p\nsource: ${source('products.ndjson')}\n${outputs}\n`)
  await folder.write('wide.yaml', `name: wide\nsource: ${source('wide.ndjson')}\n${outputs}\n`)
})
afterAll(() => folder.remove())

describe.each([80, 40])('on a terminal of %d columns', (columns) => {
  test.each([
    ['endpoints', []],
    ['--help', []],
    ['run', ['--help']],
    ['plan', ['p.yaml']],
    ['preview', ['p.yaml', '--rows', '5']],
    ['preview', ['wide.yaml', '--table', 'products']],
    ['check', ['wrong.yaml', 'p.yaml']],
    ['run', ['p.yaml']],
    ['run', ['wide.yaml', '--set', 'contract.unknownFields=reject']],
    ['verify', ['p.yaml']],
    ['users', ['create', 'users.csv', '--dry-run']],
    ['media', ['p.yaml', '--to', 'images', '--dry-run']],
    ['nonsense', []],
  ])('%s %j fits on a terminal', async (command, args) => {
    const placed = args.map((arg) => (/\.(?:yaml|csv)$/.test(arg) ? folder.at(arg) : arg))
    const env = { CATALOGUE_URL: 'http://localhost:1', NO_COLOR: '1' }
    const { stdout, stderr } = await runInMemory([command, ...placed], { isTTY: true, columns, env })
    // Progress bars move the cursor to the beginning of their line.
    const lines = `${stdout}\n${stderr}`.split(lineStart)
    expect(lines.join('').trim()).not.toBe('')
    const isWrapped = (line: string) => Math.max(...line.trim().split(/\s+/).map(widthOf)) <= columns / 2
    expect(lines.filter((line) => isWrapped(line) && widthOf(line) > columns)).toEqual([])
  })
})

test('preview shows the type of each column below its name, and rows that do not fit below the others', async () => {
  const { stdout } = await runInMemory(['preview', config, '--table', 'products', '--rows', '8'], {
    isTTY: true,
    columns: 80,
    env: { NO_COLOR: '1' },
  })
  const lines = stdout.split('\n')
  const at = lines.findIndex((line) => line.startsWith('  id '))
  expect(lines[at + 1]?.trim()).toBe('text')
  expect(lines.filter((line) => line.startsWith('  id ')).length).toBeGreaterThan(1)
  expect(
    lines.filter((line) => line.startsWith('  id ')).flatMap((line) => line.trim().split(/\s+/).slice(1)),
  ).toHaveLength(8)
})
