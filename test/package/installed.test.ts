import { cp, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep } from '../depth.ts'
import { createProject, installByNpm, npmInstall, pack, resultsOf, run, usualResults, type Packed } from './packed.ts'

let packed: Packed
let usual: Record<string, string>

beforeAll(async () => {
  packed = await pack(isDeep ? 2000 : 200)
  usual = await usualResults(packed)
}, 600_000)

describe('the tarball, installed by npm', () => {
  test('a module of a stranger runs, and reads rows', () => {
    expect(Object.keys(usual)).toEqual(
      expect.arrayContaining(['failed.txt', 'products.csv', 'products.parquet', 'product_photos.ndjson', 'rows.csv']),
    )
  })

  test('the library for bundlers leaves the same, with no file beside it', async () => {
    const project = await createProject(packed, 'portable')
    const from = join(packed.folder, 'source/dist/portable')
    await cp(from, join(project, 'node_modules/catalogue-etl'), { recursive: true })
    const exports = { '.': './index.js', './streams': './streams.js' }
    const meta = JSON.stringify({ name: 'catalogue-etl', type: 'module', exports })
    await writeFile(join(project, 'node_modules/catalogue-etl/package.json'), meta)
    expect(await resultsOf(packed, project, execPath, ['main.mjs'])).toEqual(usual)
  })

  test('an installation is one small package', async () => {
    const folder = join(packed.folder, 'usual/node_modules')
    expect((await readdir(folder)).filter((name) => !name.startsWith('.'))).toEqual(['catalogue-etl'])
    const paths = await readdir(join(folder, 'catalogue-etl'), { recursive: true })
    const sizes = await Promise.all(paths.map(async (path) => (await lstat(join(folder, 'catalogue-etl', path))).size))
    // Without the declarations, and what V8 has compiled.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_150_000)
  })

  test('the command tells its version', async () => {
    const { stdout } = await run(
      'npm',
      ['exec', '--offline', '--', 'catalogue-etl', '--version'],
      join(packed.folder, 'usual'),
    )
    expect(stdout).toMatch(/^0\.1\.0\b/)
  })

  test('a script requires the library', async () => {
    const project = join(packed.folder, 'usual')
    const script = "const { contracts } = require('catalogue-etl/streams'); console.log(contracts['v4/product'].plural)"
    await writeFile(join(project, 'script.cjs'), script)
    expect((await run(execPath, ['script.cjs'], project)).stdout).toBe('products\n')
  })
})

describe('a config that is a module, where jiti is not installed', () => {
  const config = `{ name: 'x', source: { files: 'a', contract: 'v4/brand' } }`
  let project: string
  let folder: string

  // Outside of the folder of all tests, which has the packages of this repository.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'modules-'))
    project = join(folder, 'project')
    const installed = join(packed.folder, 'usual/node_modules/catalogue-etl')
    await cp(installed, join(project, 'node_modules/catalogue-etl'), { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const check = (name: string, cwd: string) =>
    run(execPath, [join(project, 'node_modules/catalogue-etl/dist/cli.js'), 'check', name], cwd)

  test.each(['project', 'elsewhere'])('%s: one in JavaScript is read by Node', async (name) => {
    await mkdir(join(folder, name), { recursive: true })
    const code = `import { definePipeline } from 'catalogue-etl'\nexport default definePipeline(${config})`
    await writeFile(join(folder, name, 'config.mjs'), code)
    expect((await check('config.mjs', join(folder, name))).stderr).toContain('config.mjs: no problem')
  })

  test('one in TypeScript needs a Node that runs it, or jiti', async () => {
    await writeFile(join(project, 'config.ts'), `export default ${config} satisfies object`)
    const said = await check('config.ts', project).then(({ stderr }) => stderr, String)
    const runsTypes = 'typescript' in process.features
    expect(said).toContain(runsTypes ? 'config.ts: no problem' : 'npm install jiti, or use Node 22.18 or newer')
    await symlink(join(import.meta.dirname, '../../node_modules/jiti'), join(project, 'node_modules/jiti'))
    expect((await check('config.ts', project)).stderr).toContain('config.ts: no problem')
  })
})

describe.runIf(isDeep)('the tarball, installed by others', () => {
  let tools: string
  const bin = (name: string) => join(tools, 'node_modules/.bin', name)

  beforeAll(async () => {
    tools = await createProject(packed, 'managers')
    await npmInstall(tools, ['pnpm@12.21.0', '@yarnpkg/cli-dist@4.18.1', 'bun@1.4.5', 'deno@2.9.6'])
  })

  test('npm installs it beside a later DuckDB, all versions of which are pre-releases', async () => {
    const project = await installByNpm(packed, 'duckdb', '@duckdb/node-api@1.5.6-r.1')
    const config =
      'name: products\nsource: { files: products.ndjson, contract: v4/product }\noutputs: [{ format: duckdb, path: products.duckdb }]\n'
    await writeFile(join(project, 'products.yaml'), config.replace('products.ndjson', packed.input))
    const { stderr } = await run('npx', ['catalogue-etl', 'run', 'products.yaml'], project)
    expect(stderr).toContain(`${(isDeep ? 2000 : 200).toLocaleString('en')} products`)
  })

  test('pnpm leaves what npm leaves', async () => {
    const project = await createProject(packed, 'pnpm')
    await run(bin('pnpm'), ['add', '--silent', packed.tarball], project)
    expect(await resultsOf(packed, project, execPath, ['main.mjs'])).toEqual(usual)
  })

  test("Yarn Plug'n'Play leaves what npm leaves", async () => {
    const project = await createProject(packed, 'yarn')
    await writeFile(join(project, '.yarnrc.yml'), 'nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\n')
    await writeFile(join(project, 'yarn.lock'), '')
    const yarn = join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js')
    await run(execPath, [yarn, 'add', `catalogue-etl@file:${packed.tarball}`], project)
    expect(await resultsOf(packed, project, execPath, [yarn, 'node', 'main.mjs'])).toEqual(usual)
  })

  test('bun installs and runs it, and leaves what npm and Node leave', async () => {
    const project = await createProject(packed, 'bun')
    await run(bin('bun'), ['add', '--silent', packed.tarball], project)
    expect(await resultsOf(packed, project, bin('bun'), ['main.mjs'])).toEqual(usual)
  })

  test('deno runs what npm has installed, and leaves what Node leaves', async () => {
    const project = await installByNpm(packed, 'deno')
    expect(await resultsOf(packed, project, bin('deno'), ['run', '-A', 'main.mjs'])).toEqual(usual)
  })
})
