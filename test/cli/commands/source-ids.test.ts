import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { RunFolder as Folder } from '../../engine/run-folder.ts'
import { runInMemory } from '../memory-terminal.ts'

let folder: Folder
let file: string
let config: string

beforeAll(async () => {
  folder = await Folder.create()
  const codes = Array.from({ length: 2500 }, (_, at) => String(5_000_000 + at))
  file = await folder.write('cnk.csv', ['cnk', '12345', ...codes, '5000007', '""'].join('\n'))
  config = await folder.write(
    'listed.yaml',
    `name: listed
source:
  endpoint: v4/products/stream
  baseUrl: \${CATALOGUE_URL}
  keyId: sandbox
  keySecret: sandbox-secret
  filter: { status: active }
sourceIds: { file: ${file}, column: cnk }
tables: { products: { columns: [id] } }
outputs: [{ format: csv }]
`,
  )
})
afterAll(() => folder.remove())

describe('sourceIds', () => {
  test('a list of sourceIds is shown by plan with its counts and a few codes', async () => {
    const { exitCode, stdout } = await runInMemory(['plan', config])
    expect(exitCode).toBe(0)
    expect(stdout.split('\n').slice(1, 4)).toEqual([
      'reads POST {base_url}/v4/products/stream',
      '  {"filter":{"and":[{"status":"active"},{"cnk":["0012345","5000000","5000001","… 2498 more"]}]},"sorting":{"id":"ASC"}}',
      `list  2,501 identifiers (cnk) from ${file}, column cnk: 2,502 rows, 1 repeat, 1 repaired; in 3 requests`,
    ])
  })

  test('a list of sourceIds is shown by plan as JSON', async () => {
    const { stdout } = await runInMemory(['plan', config, '--json'])
    const { source } = JSON.parse(stdout) as { source: object }
    expect(source).toMatchObject({
      filter: { and: [{ status: 'active' }, { cnk: ['0012345', '5000000', '5000001', '… 2498 more'] }] },
      sourceIds: {
        file,
        column: 'cnk',
        field: 'cnk',
        rows: 2502,
        identifiers: 2501,
        repaired: 1,
        repeated: 1,
        empty: 0,
        requests: 3,
      },
    })
    expect(stdout).not.toContain('5000002')
  })

  test('sourceIds are reported by a run with the lines of the missing ones', async () => {
    const sandbox = await startSandbox({ products: 20, rateLimit: false })
    try {
      const few = await folder.write('few.csv', 'name;cnk\na;12345\nb;0012346\n')
      const env = { CATALOGUE_URL: sandbox.baseUrl }
      const set = ['--set', `sourceIds.file=${few}`, '--out', folder.out]
      const { exitCode, stderr } = await runInMemory(['run', config, ...set], { env })
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
      expect(stderr).toContain(
        `  list      2 identifiers (cnk) from ${few}, column cnk: 2 rows, 1 repaired; in 1 request\n`,
      )
      expect(stderr).toContain('2 of 2 codes (cnk) not found: 12345 (line 2), 0012346 (line 3)\n')
    } finally {
      await sandbox.close()
    }
  })

  test('a list of sourceIds is applied to files in place of the endpoint, and the report has what it filtered and missed', async () => {
    const results = ['0012345', '5000001', '4999999'].map((cnk, at) => ({ id: `M${at}`, cnk, status: 'active' }))
    const lines = results.map((result, index) => JSON.stringify({ meta: { index, total: 3 }, result }))
    const file3 = await folder.write('export.ndjson', `${lines.join('\n')}\n`)
    const out = `${folder.path}/from-files`
    const few = await folder.write('few-files.csv', '12345\r\n5000-001\r\nnull\r\n5000002\r\n')
    const list = `sourceIds={ file: "${few}", column: 1, field: cnk, badIdentifiers: report }`
    const { exitCode, stderr } = await runInMemory(['run', config, '--set', list, '--out', out, '--from', file3])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    expect(stderr).toContain("listed: note: --from: the config's filter (status) was not applied; use where")
    expect(stderr).toContain('listed  2 of 3 products, 1 left out by conditions')
    expect(stderr).toContain(`  left out  1 by sourceIds cnk: 3 identifiers of ${few}\n`)
    expect(stderr).toContain(`  list      3 identifiers (cnk) from ${few}, column 1: 4 rows, 1 bad, 2 repaired\n`)
    const missing = `! 1 of 3 codes not found, 1 bad, each with its line in ${out}/listed/_missing.csv`
    expect(stderr.replaceAll(/\n +/g, ' ')).toContain(missing)
  })

  test('sourceIds with problems are reported by check at their lines', async () => {
    const { exitCode, stderr } = await runInMemory(['check', config, '--set', 'sourceIds.column=cnkk'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'listed.yaml, --set sourceIds.column: sourceIds.column  column: expected a column of the header ("cnk"), got "cnkk"; did you mean "cnk"?',
    )
  })
})
