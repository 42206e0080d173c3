import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { bundle } from '../../build/bundle.ts'
import { bundlePortable } from '../../build/portable.ts'
import { writeBom } from '../../build/sbom.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { makeOnce } from '../make-once.ts'

const root = join(import.meta.dirname, '../..')
const execute = promisify(execFile)

export interface Packed {
  /** A folder of its own for each way to install or bundle. */
  readonly folder: string
  /** The path of what `npm pack` has made, without declarations: the compiler would take half of the time. */
  readonly tarball: string
  /** Records as NDJSON: with 2,000 of them threads start. */
  readonly input: string
}

/** Packs what is published, once for all test files, beside a number of records. */
export async function pack(records: number): Promise<Packed> {
  return makeOnce('packed', async (folder) => {
    const source = join(folder, 'source')
    await mkdir(source)
    for (const name of ['package.json', 'README.md', 'LICENSE', 'SECURITY.md', 'CHANGELOG.md', 'pipelines', 'spark'])
      await cp(join(root, name), join(source, name), { recursive: true })
    const dist = join(source, 'dist')
    const packages = await Promise.all([bundle(dist), bundlePortable(join(dist, 'portable'))])
    await writeBom(
      dist,
      packages.flatMap((each) => [...each]),
    )
    await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], source)
    const input = join(folder, 'products.ndjson')
    await writeFile(input, Buffer.concat([...generateLines({ contract: 'v4/product', seed: 1, records })]))
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
    return { folder, tarball: join(folder, tarball), input }
  })
}

/** A new project that has the programs of the job, and the package installed by npm. */
export async function installByNpm(packed: Packed, name: string, ...tools: readonly string[]): Promise<string> {
  const project = await createProject(packed, name)
  await npmInstall(project, [packed.tarball, ...tools])
  return project
}

/** A folder with nothing but the programs of the job. */
export async function createProject({ folder }: Packed, name: string): Promise<string> {
  const project = join(folder, name)
  await mkdir(join(project, 'out'), { recursive: true })
  for (const file of ['job.mjs', 'main.mjs']) await cp(join(import.meta.dirname, file), join(project, file))
  await writeFile(join(project, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }))
  return project
}

export async function npmInstall(project: string, packages: readonly string[]): Promise<void> {
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...packages], project)
}

/** What the job leaves where the package is installed as it is, by Node: a digest of each file. */
export async function usualResults(packed: Packed): Promise<Record<string, string>> {
  return makeOnce('usual', async () => {
    const project = await installByNpm(packed, 'usual')
    return resultsOf(packed, project, execPath, ['main.mjs'])
  })
}

/** Runs the job by a program of a project, and resolves with a digest of each file that it leaves, but for those with times. */
export async function resultsOf(
  packed: Packed,
  project: string,
  program: string,
  args: readonly string[],
): Promise<Record<string, string>> {
  await run(program, [...args, packed.input, join(project, 'out')], project)
  return digestsOf(join(project, 'out'))
}

export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => /^[^_.].*\./.test(name)).toSorted()
  const digest = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digest(name)] as const)))
}

/** Runs a program, without the variables of npm and vitest of this process; rejects with what it has said if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_(?:ENV|OPTIONS)$|JEST|INIT_CWD|npm_(?!config_))/.test(name),
  )
  const env = { ...Object.fromEntries(kept), NEXT_TELEMETRY_DISABLED: '1', ...more }
  try {
    // npm is a script on Windows, which only a shell starts.
    const shell = process.platform === 'win32' && program.startsWith('np')
    return await execute(program, [...args], { cwd, env, maxBuffer: 1 << 26, shell })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')}: ${stdout.slice(-4000)}${stderr.slice(-4000)}`, { cause: error })
  }
}
