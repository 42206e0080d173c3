import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runInMemory, type CliOptions, type CliResult } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'

let folder: RunFolder
let config: string

beforeAll(async () => {
  folder = await RunFolder.create()
  await folder.generate('brands.ndjson', 'v4/brand', 50)
  config = await folder.config('brands', 'brands.ndjson')
})
beforeEach(() => rm(folder.out, { recursive: true, force: true }))
afterAll(() => folder.remove())

const run = (args: readonly string[], options?: CliOptions): Promise<CliResult> =>
  runInMemory(['run', '--out', folder.out, ...args], options)

const published = [
  'brands/_manifest.json',
  'brands/_profile.json',
  'brands/_rejects.ndjson',
  'brands/_report.html',
  'brands/brands.csv',
  'brands/brands.ndjson',
  'brands/brands.parquet',
]

/** The document of `--json`: the runs, or why there were none. */
interface RunDocument {
  readonly ok: boolean
  readonly runs: readonly { pipeline: string; ok: boolean; report?: Manifest; error?: { code: string } }[]
  readonly error?: { code: string; exitCode: number; fix: string; outputs: string | null }
  readonly problems?: readonly { file: string; line: number | null; message: string }[]
}

function parse({ stdout }: CliResult): RunDocument {
  const document = JSON.parse(stdout) as Omit<RunDocument, 'runs'> & Partial<RunDocument>
  return { ...document, runs: document.runs ?? [] }
}

describe('a run that publishes', () => {
  test('a run that publishes prints its report on stderr, and nothing on stdout', async () => {
    const { exitCode, stdout, stderr } = await run([config])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toMatch(/^brands {2}50 brands, none lost on the way\n {2}saved {5}brands, 50 rows\n/)
    expect(stderr).toMatch(/\n {2}time {6}\d+\.\d\d s, /)
    expect(stderr).toContain(`  open      ${join(folder.out, 'brands/_report.html')}\n`)
    expect(stderr).not.toMatch(/\b0 /)
    expect(await folder.listOutputs()).toEqual(published)
  })

  test('a run of two exports of the same records in one glob first reports the repeats, and then, on its page, the proof of each file', async () => {
    for (const day of ['monday', 'tuesday']) await folder.generate(`day-${day}.ndjson`, 'v4/brand', 5)
    const both = await folder.write(
      'both.yaml',
      `name: both\nsource: { files: '${folder.at('day-*.ndjson')}', contract: v4/brand }\noutputs: [{ format: csv }]`,
    )
    const { exitCode, stderr } = await run([both])
    expect(exitCode).toBe(0)
    const [first, second = ''] = stderr.split('\n')
    expect(first).toBe('both  10 brands, none lost on the way; 1 thing to look at')
    expect(second).toBe(
      '  ! 5 of 10 lines repeat the id of an earlier line: rows and sums have these records more than once.',
    )
    expect(stderr).toContain('Are the 2 sources exports of the same records?')
    const page = Buffer.from((await folder.readOutputs())['both/_report.html']!, 'latin1').toString()
    expect(page).toMatch(
      /<header class="look">[^]*10 brands, none lost on the way[^]*<b>5<\/b> of 10 lines repeat the id/,
    )
    expect(page).toContain('2 files, each complete: indexes 0 to 4, each once')
    const metrics = folder.at('both.prom')
    const { stdout } = await run([both, '--json', '--metrics', metrics])
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ findings: [{ severity: 'look', kind: 'repeats', count: 5 }] }],
    })
    expect(await readFile(metrics, 'utf8')).toContain('published_findings{pipeline="both",severity="look"} 1\n')
  })

  test('a run that publishes with --json writes one document, the report, on stdout', async () => {
    const result = await run([config, '--json'])
    const { ok, runs } = parse(result)
    expect(ok).toBe(true)
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({ pipeline: 'brands', ok: true, report: { ledger: { lines: 50, accepted: 50 } } })
    const manifest = (await folder.readOutputs())['brands/_manifest.json']
    expect(runs[0]!.report).toEqual(JSON.parse(Buffer.from(manifest!, 'latin1').toString()))
  })

  test('a run that publishes counts its tables and rows, and names the first table and the largest', async () => {
    await folder.generate('products.ndjson', 'v4/product', 5)
    const products = await folder.write(
      'products.yaml',
      `name: products\nsource: { files: '${folder.at('products.ndjson')}', contract: v4/product }\noutputs: [{ format: csv }]`,
    )
    const { stderr } = await run([products], { columns: 60 })
    const [, saved = ''] = /( {2}saved [^]*?)\n {2}files /.exec(stderr) ?? []
    const lines = saved.split('\n')
    for (const line of lines) expect(line).toMatch(/^.{12}\S.{0,47}$/)
    expect(saved.replaceAll(/\n +/g, ' ')).toMatch(
      /^ {2}saved {5}23 tables, \d+ rows: products 5, (?:product_\w+ \d+, ){3}…$/,
    )
  })

  test('a run that publishes with --quiet prints nothing', async () => {
    expect(await run([config, '--quiet'])).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    expect((await run([config, '--quiet', '--json'])).stderr).toBe('')
  })

  test('a run that publishes with --limit publishes a sample and reports it', async () => {
    const result = await run([config, '--limit', '10', '--json'])
    const [outcome] = parse(result).runs
    expect(outcome!.report!.ledger).toMatchObject({ lines: 10, accepted: 10 })
    expect(outcome!.report!.completeness).toMatchObject({ status: 'incomplete', limit: 10 })
    const { stderr } = await run([config, '--limit', '10'])
    expect(stderr).toContain('a sample of 10 lines: 10 brands\n')
    expect(stderr).toContain('· a sample was read, on purpose (limit 10)')
    expect(stderr).not.toMatch(/[✗!] |wrong/)
    const page = await readFile(`${folder.out}/brands/_report.html`, 'utf8')
    expect(page).toContain('<header class="good">')
    expect(page).toContain('A sample of 10 lines: 10 brands')
  })

  test('a run that publishes reads standard input', async () => {
    const stdin = '{"id":1,"name":{"nl":"A"}}\n{"id":2,"name":{"nl":"B"}}\n'
    const { exitCode, stderr } = await run([config, '--set', 'source.files=-'], { stdin })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('brands  2 brands; 1 thing to look at')
    expect((await folder.readOutputs())['brands/brands.csv']).toMatch(/^id,name_nl,.*\n1,A,/)
  })

  test('a run that publishes reads standard input twice for duplicates', async () => {
    const stdin = '{"id":1,"name":{"nl":"A"}}\n{"id":1,"name":{"nl":"B"}}\n'
    const settings = ['--set', 'source.files=-', '--set', 'duplicates=last']
    const { exitCode } = await run([config, ...settings], { stdin })
    expect(exitCode).toBe(0)
    expect((await folder.readOutputs())['brands/brands.csv']).toMatch(/\n1,B,/)
    expect(await folder.listOutputs()).toEqual(published)
  })

  test('a run that publishes has colours on a terminal only, and there not with NO_COLOR', async () => {
    const escape = '\u001b['
    expect((await run([config])).stderr).not.toContain(escape)
    expect((await run([config], { isTTY: true, env: { TERM: 'xterm' } })).stderr).toContain(escape)
    const plain = await run([config, '--set', 'locales=[xq]'], { isTTY: true, env: { NO_COLOR: '1', TERM: 'xterm' } })
    expect(plain.stderr).not.toContain(escape)
  })
})

function writeWithoutOutputs(): Promise<string> {
  return folder.write(
    'smallest.yaml',
    `name: x\nsource: { files: ${folder.at('brands.ndjson')}, contract: v4/brand }\n`,
  )
}

describe('--set', () => {
  test.each([
    [['--set', 'locales=[nl]'], 'id,name_nl,meta_created_at,meta_updated_at\n'],
    [['--set', 'locales[0]=en', '--set', 'tables.brands.columns=[name]'], 'name_en,name_fr'],
    [['--set', 'tables.brands.columns=[id]', '--set', 'tables.brands.columns[1]=name.fr'], 'id,name_fr\n'],
    [['--set', 'outputs=[{ format: csv, delimiter: ";" }]'], 'id;name_nl;'],
    [['--set', 'outputs=[{ format: csv }]', '--set', 'outputs[0].delimiter=;'], 'id;name_nl;'],
    [['--set', 'outputs=[{ format: csv }]', '--set', 'outputs.0.delimiter=;'], 'id;name_nl;'],
    [['--set', 'outputs=[{ format: csv }]', '--set', 'outputs[1].format=ndjson'], 'id,name_nl,'],
  ])('--set changes the config: %j', async (args, head) => {
    const withLocales = await folder.config('brands', 'brands.ndjson', 'locales: [nl, fr]\n')
    const { exitCode, stderr } = await run([withLocales, ...args])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    const csv = (await folder.readOutputs())['brands/brands.csv']!
    expect(csv.slice(0, head.length)).toBe(head)
  })

  test.each([
    ['limit', '--set: expected key=value such as rejects.limit=0, got "limit"'],
    ['=1', '--set: expected key=value such as rejects.limit=0, got "=1"'],
    ['a..b=1', '--set: expected key=value such as rejects.limit=0, got "a..b=1"'],
    ['locales=[nl', '--set locales: expected a YAML value, got "[nl"'],
    [
      'outputs[3].format=csv',
      '--set outputs[3].format: expected an index up to 0, as the config lists nothing there, got 3',
    ],
    ['outputs[99999999999].format=csv', 'expected an index up to 0'],
  ])('--set refuses %s', async (setting, message) => {
    const { exitCode, stderr } = await run([await writeWithoutOutputs(), '--set', setting])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^USAGE The command was not understood\n/)
    expect(stderr).toContain(message)
  })

  test.each([
    ['completeness=maybe', 'completeness  expected one of require, report, got text "maybe"'],
    ['rejects.limt=1', 'unknown key "limt"'],
    ['outputs.0.compression=zip', 'expected a list, got an object'],
    ['__proto__.x=1', 'unknown key "__proto__"'],
    ['locales=', 'expected a list, got null'],
  ])('a wrong %s is named as what was set, not as what the file says', async (setting, message) => {
    const smallest = await writeWithoutOutputs()
    const { exitCode, stderr } = await run([smallest, '--set', setting])
    expect(exitCode).toBe(2)
    expect(stderr.split('\n')[0]).toContain(`${smallest}, --set ${setting.replace(/=.*/, '')}: `)
    expect(stderr).toContain(message)
  })
})

describe('files that an earlier config left', () => {
  test('a run names files that an earlier config left, and removes them with --prune', async () => {
    const wide = await folder.config('wide', 'brands.ndjson', 'outputs: [{ format: csv }, { format: ndjson }]\n')
    expect((await run([wide])).exitCode).toBe(0)
    const one = ['--set', 'outputs=[{ format: csv }]']
    const named = await run([wide, ...one])
    expect(named.stderr.replaceAll(/\n +/g, ' ')).toContain(
      `! 1 file of an earlier config: ${folder.out}/wide/brands.ndjson; run --prune removes it`,
    )
    const { stdout, stderr } = await run([wide, ...one, '--prune', '--json'])
    expect(stderr).toContain(`  pruned    1 file of an earlier config: ${folder.out}/wide/brands.ndjson\n`)
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [{ report: { prunedFiles: [{ path: `${folder.out}/wide/brands.ndjson` }] } }],
    })
    expect(await folder.listOutputs()).not.toContain('wide/brands.ndjson')
  })
})

describe('a run that fails', () => {
  test('a run that fails prints code and title, the problem with its place, what happened to the outputs, and what to try', async () => {
    for (const { args, code, exitCode, nothing } of await listFailures()) {
      const result = await run(args)
      expect({ args, exitCode: result.exitCode, stdout: result.stdout }).toEqual({ args, exitCode, stdout: '' })
      const lines = result.stderr.trimEnd().split('\n')
      const at = lines.findIndex((line) => line.startsWith(`${code} `))
      expect(lines[at]).toMatch(/^[A-Z_]+ [A-Z]/)
      expect(lines[at + 1]).toMatch(/^ {2}\S.*(?:expected|invalid)/)
      expect(lines[at + 2]).toMatch(nothing)
      expect(lines.at(-1)).toMatch(/^ {2}Try: \S/)
      expect(result.stderr).not.toMatch(/\n\s+at /)
    }
  })

  test('a run that fails leaves no file but its rejects and its page', async () => {
    for (const { args } of await listFailures()) await run(args)
    const left = ['bad/_rejects.ndjson', 'bad/_report.failed.html', 'cut/_report.failed.html']
    expect(await folder.listOutputs()).toEqual(left)
  })

  test('a run that fails with --json writes one document, too', async () => {
    for (const { args, code, exitCode } of await listFailures()) {
      const result = await run([...args, '--json'])
      const document = parse(result)
      expect(document.ok).toBe(false)
      const error = document.error ?? document.runs[0]!.error
      expect({ args, exitCode: result.exitCode, error }).toMatchObject({ exitCode, error: { code, exitCode } })
      expect(result.stderr).toContain(code)
    }
  })

  test('a run that fails names every problem of a config in its document', async () => {
    const result = await run([await folder.config('wrong', 'a', 'nmae: 1\nlocales: [xq]\n'), '--json'])
    const { error, problems } = parse(result)
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', outputs: 'Nothing was read, nothing was saved.' })
    expect(problems).toEqual([
      {
        file: folder.at('wrong.yaml'),
        line: 3,
        column: 1,
        path: 'nmae',
        message: expect.any(String),
        suggestion: 'name',
      },
      {
        file: folder.at('wrong.yaml'),
        line: 4,
        column: 11,
        path: 'locales[0]',
        message: expect.any(String),
        suggestion: null,
      },
    ])
  })

  test('a run that fails with --quiet still prints the reason', async () => {
    const { bad } = { bad: await folder.config('bad', 'bad.ndjson') }
    await folder.write('bad.ndjson', 'nonsense\n')
    expect((await run([bad, '--quiet'])).stderr).toMatch(/^TOO_MANY_REJECTS /)
  })

  test.each([
    ['v3/product', 'v4/product', '; v3/product accepts the first'],
    ['v4/product', 'v4/media', '; is it v4/media? see source.contract'],
  ] as const)('a run that fails as its %s were read as %s says so', async (contract, read, hint) => {
    await folder.generate('other.ndjson', contract, 5)
    const wrong = await folder.config('wrong', 'other.ndjson')
    const { exitCode, stderr } = await run([wrong, '--set', `source.contract=${read}`])
    expect(exitCode).toBe(3)
    expect(stderr).toContain(hint)
  })

  test('a run that fails for a list with bad entries says to correct the list', async () => {
    const list = await folder.write('cnk.csv', 'cnk\n"1,23E+6"\n')
    const source = '{ endpoint: v4/products/stream, baseUrl: https://a.example.com, keyId: x, keySecret: y }'
    const listed = await folder.write(
      'listed.yaml',
      `name: listed\nsource: ${source}\nsourceIds: { file: '${list}', column: cnk }\noutputs: [{ format: csv }]`,
    )
    expect((await run([listed])).stderr).toMatch(
      /Try: Correct the path `sourceIds.file`, or the list .*format the column as text/,
    )
  })

  test('a run whose --out is a file fails and names the file', async () => {
    const file = await folder.write('file', '')
    const { exitCode, stderr } = await run([config, '--out', `${file}/deeper`])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`\n  ${file}: expected a folder, got a file\n`)
  })

  test('a run that is interrupted ends with 130 and publishes nothing', async () => {
    const result = await run([config, '--json'], { signal: AbortSignal.abort() })
    expect(result.exitCode).toBe(130)
    expect(parse(result)).toMatchObject({ ok: false, runs: [{ error: { code: 'INTERRUPTED' } }] })
    expect(await folder.listOutputs()).toEqual([])
  })
})

describe('several pipelines', () => {
  test('several pipelines run one after the other; one that fails does not stop the next', async () => {
    await folder.write('bad.ndjson', 'nonsense\n')
    const [bad, good] = [await folder.config('bad', 'bad.ndjson'), await folder.config('good', 'brands.ndjson')]
    const result = await run([bad, good, '--json'])
    expect(result.exitCode).toBe(3)
    const { ok, runs } = parse(result)
    expect({ ok, runs: runs.map((each) => [each.pipeline, each.ok]) }).toEqual({
      ok: false,
      runs: [
        ['bad', false],
        ['good', true],
      ],
    })
    expect(await folder.listOutputs()).toContain('good/brands.csv')
    expect(result.stderr).toMatch(/^bad {2}TOO_MANY_REJECTS [A-Z]/m)
  })

  test('several pipelines are not run if one has a problem', async () => {
    const wrong = await folder.config('wrong', 'brands.ndjson', 'nmae: 1\n')
    const result = await run([config, wrong, folder.at('nowhere.yaml')])
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain('wrong.yaml:3:1  unknown key "nmae"')
    expect(result.stderr).toContain(`${folder.at('nowhere.yaml')}  expected a config file, got nothing there`)
    expect(result.stderr).toContain('expected valid configs, got 2 problems')
    expect(await folder.listOutputs()).toEqual([])
  })

  test('several pipelines that write the same files are refused', async () => {
    const manifest = `manifest: { path: ${JSON.stringify(join(folder.out, 'x/../brands/_manifest.json'))} }\n`
    const other = await folder.config('other', 'brands.ndjson', manifest)
    for (const second of [config, other]) {
      const result = await run([config, second])
      expect(result.exitCode).toBe(2)
      expect(result.stderr).toMatch(/brands and \w+: expected outputs apart, got ".*" from both/)
    }
    expect(await folder.listOutputs()).toEqual([])
  })
})

test('a run shows its progress on a terminal', async () => {
  const { stderr } = await run([config], { isTTY: true, env: { TERM: 'xterm' } })
  expect(stderr).toContain('brands')
  expect(stderr).toContain('none lost on the way')
})

/** Command lines of runs that fail in all possible ways. */
async function listFailures(): Promise<readonly { args: string[]; code: string; exitCode: number; nothing: RegExp }[]> {
  const cut = await folder.config('cut', 'cut.ndjson')
  const bad = await folder.config('bad', 'bad.ndjson')
  const missing = await folder.config('missing', 'nowhere.ndjson')
  const reported = await folder.config('reported', 'error.ndjson')
  const blocked = await folder.config('blocked', 'brands.ndjson')
  await folder.write('cut.ndjson', '{"meta":{"total":3,"index":0},"result":{"id":1}}\n')
  await folder.write('bad.ndjson', '{"id":1}\nnonsense\n')
  await folder.write('error.ndjson', '{"id":1}\n{"error":{"status":500,"code":"oops","message":"no luck"}}\n')
  await mkdir(join(folder.out, 'blocked/brands.csv'), { recursive: true })
  return [
    { args: [config, '--limit', 'x'], code: 'USAGE', exitCode: 2, nothing: /^ {2}Try: / },
    {
      args: [config, '--set', 'nmae=1'],
      code: 'CONFIG_INVALID',
      exitCode: 2,
      nothing: /^ {2}Nothing was (?:read|saved)/,
    },
    {
      args: [folder.at('nowhere.yaml')],
      code: 'CONFIG_UNREADABLE',
      exitCode: 2,
      nothing: /^ {2}Nothing was (?:read|saved)/,
    },
    { args: [bad], code: 'TOO_MANY_REJECTS', exitCode: 3, nothing: /^ {2}Nothing was (?:read|saved)/ },
    { args: [missing], code: 'SOURCE_NOT_FOUND', exitCode: 4, nothing: /^ {2}Nothing was (?:read|saved)/ },
    { args: [cut], code: 'SOURCE_INCOMPLETE', exitCode: 4, nothing: /^ {2}Nothing was (?:read|saved)/ },
    { args: [reported], code: 'SOURCE_ERROR_LINE', exitCode: 4, nothing: /^ {2}Nothing was (?:read|saved)/ },
    { args: [blocked], code: 'OUTPUT_REFUSED', exitCode: 2, nothing: /^ {2}Nothing was (?:read|saved)/ },
  ]
}
