import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widthOf } from '../../../src/text/text-width.ts'
import { someOf } from '../../depth.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import { BuiltCli } from '../built-cli.ts'
import { RunFolder } from '../run-folder.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

interface Typed {
  readonly until: string
  readonly keys: string
}

interface Shown {
  /** All output, with cursor movements. */
  readonly output: string
  readonly code: number
  /** Steps whose text never appeared. */
  readonly left: readonly Typed[]
}

const enter = '\r'
/** A line break, or a movement of the cursor. */
const lineStart = new RegExp(`\\r?\\n|${String.fromCharCode(27)}\\[\\d*[A-HJK]`)
const down = '\u001B[B'
const ctrlC = '\u0003'

describe.skipIf(!hasPython)('init in a terminal', () => {
  let cli: BuiltCli
  let folder: RunFolder

  beforeAll(async () => {
    cli = await BuiltCli.build()
    folder = await RunFolder.create()
    await folder.generate('export.ndjson', 'v4/product', 100)
    await folder.generate('list.ndjson', 'v4/brand', 20)
  })
  afterAll(() => folder.remove())

  /** Runs a command line in a pseudo-terminal, and types. */
  function type(args: readonly string[], steps: readonly Typed[], columns = 80, env = {}): Promise<Shown> {
    const argv = [process.execPath, cli.path, ...args]
    const task = {
      argv,
      cwd: folder.path,
      columns,
      rows: 24,
      steps,
      env: { PATH: process.env['PATH'], ...forcedWorkers, ...env },
    }
    return new Promise((resolve, reject) => {
      const script = join(import.meta.dirname, 'in-terminal.py')
      const child = execFile('python3', [script], (error, stdout) =>
        error === null ? resolve(JSON.parse(stdout) as Shown) : reject(error),
      )
      child.stdin?.end(JSON.stringify(task))
    })
  }

  test('the config has the chosen answers', async () => {
    const steps = [
      // All off, then the first and the second.
      { until: 'Which tables?', keys: `a ${down} ${enter}` },
      { until: 'Which locales?', keys: `${down} ${enter}` },
      { until: 'Which outputs?', keys: ` ${down}${down} ${enter}` },
    ]
    const { code, left, output } = await type(['init', 'export.ndjson', '--to', 'chosen.yaml'], steps)
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(output).toContain('v4/product, recognized by')
    const text = await readFile(folder.at('chosen.yaml'), 'utf8')
    expect(text).toMatch(/^ {2}products: \{\}/m)
    expect(text).toMatch(/^ {2}product_galenic_shapes: /m)
    expect(text).toMatch(/^ {2}# product_public_categories: /m)
    expect(text).toContain('locales: [nl, en, de, en_AU] #')
    expect(text).toMatch(/^ {2}# - \{ format: parquet/m)
    expect(text).toMatch(/^ {2}- \{ format: csv/m)
    expect(text).toMatch(/^ {2}- \{ format: xlsx/m)
    const checked = await cli.start(['check', 'chosen.yaml'], { cwd: folder.path }).end()
    expect(checked.code).toBe(0)
  })

  test('init asks again if a workbook was chosen with a database', async () => {
    const steps = [
      { until: 'Which tables?', keys: enter },
      { until: 'Which locales?', keys: enter },
      { until: 'Which outputs?', keys: `${down}${down} ${down}${down} ${enter}` },
      { until: 'A workbook needs', keys: enter },
    ]
    const { code, left } = await type(['init', 'export.ndjson', '--to', 'mixed.yaml'], steps)
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(await readFile(folder.at('mixed.yaml'), 'utf8')).toMatch(/^ {2}# - \{ format: xlsx/m)
  })

  test.each(someOf(['Which tables?', 'Which locales?', 'Which outputs?'], 'Which outputs?'))(
    'Ctrl-C at %s writes nothing',
    async (at) => {
      const all = ['Which tables?', 'Which locales?', 'Which outputs?']
      const steps = all.slice(0, all.indexOf(at) + 1).map((until) => ({ until, keys: until === at ? ctrlC : enter }))
      const { code, output } = await type(['init', 'export.ndjson', '--to', 'never.yaml'], steps)
      expect(code).toBe(130)
      expect(stripVTControlCharacters(output)).toContain('INTERRUPTED init was interrupted')
      expect(existsSync(folder.at('never.yaml'))).toBe(false)
    },
  )

  test('init asks for the contract if the fields leave a doubt', async () => {
    const steps = [
      { until: 'Which one is it?', keys: `${down}${enter}` },
      { until: 'Which outputs?', keys: enter },
    ]
    const { code, left } = await type(['init', 'list.ndjson'], steps)
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(await readFile(folder.at('list.yaml'), 'utf8')).toContain('contract: v4/brand\n')
  })

  test('without an argument it asks for a file or an endpoint', async () => {
    const steps = [
      { until: 'What should', keys: `${down}${down}${down}${enter}` },
      { until: 'Which endpoint?', keys: enter },
      { until: 'Which tables?', keys: enter },
      { until: 'Which locales?', keys: enter },
      { until: 'Which outputs?', keys: enter },
    ]
    const { code, left } = await type(['init'], steps)
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(await readFile(folder.at('products.yaml'), 'utf8')).toContain('endpoint: v4/products/stream')
    expect(existsSync(folder.at('.env.example'))).toBe(true)
  })

  test.each(someOf([40, 80], 40))('questions fit into %d columns', async (columns) => {
    const steps = [
      { until: 'Which tables?', keys: enter },
      { until: 'Which locales?', keys: enter },
      { until: 'Which outputs?', keys: ctrlC },
    ]
    const { output } = await type(['init', 'export.ndjson', '--to', 'never.yaml'], steps, columns, { NO_COLOR: '1' })
    expect(output).not.toContain('\u001B[3')
    const lines = output.split(lineStart).map(stripVTControlCharacters)
    expect(lines.filter((line) => widthOf(line) > columns)).toEqual([])
  })

  test('--yes asks nothing in a terminal either', async () => {
    const { code, output } = await type(['init', 'export.ndjson', '--yes', '--to', 'yes.yaml'], [])
    expect(code).toBe(0)
    expect(output).not.toContain('Which')
  })
})
