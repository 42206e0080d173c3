import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runInMemory } from '../cli/memory-terminal.ts'
import { openAllInLibreOffice, skipsLibreOffice } from '../formats/libre-office.ts'
import { readyPath } from './ready-rig.ts'

const record = {
  id: 'M0012',
  cnk: '0012345',
  status: 'active',
  name: { nl: '=1+1; "é"' },
  publicPrice: 1099,
  weightWithUnit: { value: 0.354, unit: 'kg' },
}

let folder: string
let input: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spreadsheets-'))
  input = join(folder, 'export.ndjson')
  await writeFile(input, `${JSON.stringify(record)}\n`)
  await writeFile(join(folder, 'codes.csv'), 'CNK\n12345\n')
})
afterAll(() => rm(folder, { recursive: true }))

/** The config that `init` writes, with the output that its comments offer to spreadsheets. */
async function initConfig(): Promise<string> {
  const path = join(folder, 'desk.yaml')
  expect(await runInMemory(['init', input, '--yes', '--to', path])).toMatchObject({ exitCode: 0 })
  const text = await readFile(path, 'utf8')
  const [offered, ...others] = text.split('\n').filter((line) => line.includes('for Excel'))
  expect([offered, others]).toEqual([expect.stringContaining('# - { format: xlsx,'), []])
  await writeFile(path, text.replace('# - { format: xlsx', '- { format: xlsx'))
  return path
}

/** Values of the record by column; numbers are numbers in the sheet, too. */
const expected = [
  { public_price: 1099, weight_with_unit_value: 0.354, name_nl: record.name.nl },
  { public_price_eur: 10.99, title: record.name.nl },
  { public_price: 1099, weight_with_unit_value: 0.354 },
]

async function writeWorkbook(config: string): Promise<string> {
  const env = { CATALOGUE_CODES: join(folder, 'codes.csv') }
  const call = ['run', config, '--from', input, '--out', join(folder, 'out'), '--json']
  const { exitCode, stdout } = await runInMemory(call, { env })
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
  const { runs } = JSON.parse(stdout) as { runs: { report: { files: { path: string; format: string }[] } }[] }
  return runs[0]?.report.files.find(({ format }) => format === 'xlsx')?.path ?? ''
}

test.skipIf(skipsLibreOffice)(
  'LibreOffice with Belgian settings shows numbers as they are and codes with their zeros in the files that init and ready pipelines make for spreadsheets',
  { timeout: 120_000 },
  async () => {
    const workbooks: string[] = []
    for (const config of [await initConfig(), readyPath('products-analyst.yaml'), readyPath('my-codes.yaml')])
      workbooks.push(await writeWorkbook(config))
    const shown = (await openAllInLibreOffice(workbooks, { locale: 'nl-BE' })).map((sheets) => {
      const [header = [], cells = []] = sheets.get('products') ?? []
      return Object.fromEntries(header.map(({ value }, at) => [value, cells[at]]))
    })
    const cells = expected.map((values) =>
      Object.entries({ cnk: record.cnk, ...values }).map(([name, value]) => {
        const type = typeof value === 'number' ? 'number' : 'text'
        return [name, { type, value: String(value) }]
      }),
    )
    expect(shown).toMatchObject(cells.map((entries) => Object.fromEntries(entries) as object))
  },
)
