import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { validateAction, validateWorkflow } from '@action-validator/core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { isDeep } from '../depth.ts'
import { pack, usualResults, type Packed } from './packed.ts'

const root = join(import.meta.dirname, '../..')
const readHere = (path: string) => readFile(join(root, path), 'utf8')

let packed: Packed

beforeAll(async () => {
  packed = await pack(isDeep ? 2000 : 200)
  await usualResults(packed)
}, 600_000)

interface Step {
  readonly id?: string
  readonly uses?: string
  readonly run?: string
}

describe('the workflows', () => {
  test.each(['release.yml', 'tests.yml'])(
    '%s is valid by its schema, and names exact versions of actions',
    async (name) => {
      const text = await readHere(`.github/workflows/${name}`)
      expect(validateWorkflow(text).errors).toEqual([])
      expect(validateWorkflow(text.replace('runs-on:', 'run-on:')).errors).not.toEqual([])
      for (const [, used = ''] of text.matchAll(/uses: (.*)/g)) expect(used).toMatch(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/)
    },
  )

  test('the release publishes with provenance, by an identity of its own and without a secret', async () => {
    const text = await readHere('.github/workflows/release.yml')
    const { jobs } = parse(text) as { jobs: { publish: { permissions: unknown; steps: Step[] } } }
    expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    expect(jobs.publish.steps.map(({ run }) => run)).toContain('npm publish --provenance --access public')
    expect(text).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/)
  })

  test('the release refuses a tag that is not of the version', async () => {
    const { jobs } = parse(await readHere('.github/workflows/release.yml')) as { jobs: { publish: { steps: Step[] } } }
    const script = jobs.publish.steps.find(({ run }) => run?.includes('TAG'))?.run ?? ''
    expect(await bash(script, root, { TAG: `v${packageJson.version}` })).toMatchObject({ code: 0 })
    const refused = await bash(script, root, { TAG: 'v9.9.9' })
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`expected the tag v${packageJson.version}`),
    })
  })
})

describe('the action', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'action-'))
    for (const name of ['temp', 'work']) await mkdir(join(folder, name))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('the action is valid by its schema', async () => {
    const text = await readHere('action.yml')
    expect(validateAction(text).errors).toEqual([])
    expect(validateAction(text.replace('composite', 'compost')).errors).not.toEqual([])
  })

  test('its steps install a tarball, run a config, and write the job summary', async () => {
    const { steps } = (parse(await readHere('action.yml')) as { runs: { steps: Step[] } }).runs
    const [install, run] = steps.flatMap((step) => step.run ?? [])
    const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    const env = { ...files, RUNNER_TEMP: join(folder, 'temp'), GITHUB_ACTION_PATH: root, PACKAGES: '', OPTIONS: '' }
    const work = dirname(packed.tarball)
    expect(await bash(install ?? '', work, { ...env, VERSION: `./${basename(packed.tarball)}` })).toMatchObject({
      code: 0,
    })

    const config = { name: 'products', source: { files: [packed.input], contract: 'v4/product' }, outputs }
    await writeFile(join(folder, 'work/products.json'), JSON.stringify(config))
    expect(await bash(run ?? '', join(folder, 'work'), { ...env, CONFIG: 'products.json' })).toMatchObject({ code: 0 })
    expect(await readFile(files.GITHUB_OUTPUT, 'utf8')).toBe('exit-code=0\n')
    expect(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8')).toMatch(
      /^\| published \| products \| [\d]+ \| [\d]+ \| 0 \| proven \| products [\d]+,/m,
    )
    expect(await readdir(join(folder, 'temp/catalogue-pages'))).toEqual(['products.html', 'report.json'])

    const failed = await bash(run ?? '', join(folder, 'work'), { ...env, CONFIG: 'missing.json' })
    expect(failed).toMatchObject({ code: 2 })
    expect(await readFile(files.GITHUB_OUTPUT, 'utf8')).toMatch(/exit-code=2\n$/)
    expect(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('missing.json: expected a config file')
  })
})

const outputs = [{ format: 'csv', path: 'out/{table}.csv' }]

test('the entry for SchemaStore names a schema that is in the package, for names of files that only its configs have', async () => {
  const entry = JSON.parse(await readHere('docs/schemastore.json')) as {
    url: string
    fileMatch: string[]
    name: string
  }
  const path = entry.url.slice(`https://unpkg.com/${packageJson.name}/`.length)
  expect(entry.url.endsWith(`/${packageJson.name}/${path}`)).toBe(true)
  const inPackage = await readFile(join(packed.folder, 'usual/node_modules/catalogue-etl', path), 'utf8')
  expect(JSON.parse(inPackage)).toMatchObject({ type: 'object', required: ['name', 'source'] })
  for (const pattern of entry.fileMatch) expect(pattern).toMatch(/^\*\.catalogue\.(?:ya?ml|json)$/)
})

test('a bundle has nothing of an entry from which it takes nothing', async () => {
  const project = join(packed.folder, 'usual')
  await writeFile(
    join(project, 'nothing.mjs'),
    "import 'catalogue-etl'\nimport 'catalogue-etl/streams'\nconsole.log(1)\n",
  )
  const modules = await rolldown({ cwd: project, input: 'nothing.mjs', platform: 'node', logLevel: 'silent' })
  const { output } = await modules.generate({ format: 'esm' })
  await modules.close()
  expect(output[0]).toMatchObject({ imports: [], dynamicImports: [] })
  expect(output[0].code).toMatch(/^(?:\/\/.*\n)*console\.log\(1\);\n/)
})

function bash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(
      'bash',
      ['-eo', 'pipefail', '-c', script],
      { cwd, env: { ...process.env, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr }),
    )
  })
}
