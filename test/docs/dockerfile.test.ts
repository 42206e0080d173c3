import { spawnSync } from 'node:child_process'
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { runAside } from './run-aside.ts'
import { isFull } from '../depth.ts'
import { startS3, type S3Server } from '../storage/s3/start-s3.ts'

const root = join(import.meta.dirname, '../..')
const recipes = join(root, 'docs/recipes/nightly')
const { peerDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>
}

interface Step {
  readonly instruction: string
  readonly argument: string
}

const steps = (await readFile(join(root, 'Dockerfile'), 'utf8'))
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line): Step => {
    const [, instruction = '', argument = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return { instruction, argument }
  })

test('the image has every package that an output may need, in the versions that this one asks for', () => {
  const installed = steps.filter(({ instruction }) => instruction === 'RUN').map(({ argument }) => argument)
  const packages = installed.join('\n').split(' ')
  const { '@modelcontextprotocol/sdk': _, ...ofOutputs } = peerDependencies
  for (const [name, version] of Object.entries(ofOutputs)) {
    // Of DuckDB any version may be installed; what is loaded is checked in a run.
    const asked = version === '*' ? `${name}@` : `${name}@${version}`
    expect(packages.filter((each) => each.startsWith(asked))).toHaveLength(1)
  }
  expect(steps.map(({ instruction }) => instruction).indexOf('USER')).toBeGreaterThan(-1)
  expect(steps[0]).toMatchObject({ instruction: 'FROM', argument: expect.stringMatching(/^node:2[2-9]-slim$/) })
})

// Packing and installing takes half a minute.
describe.runIf(isFull)('the image, built step by step in an empty folder', () => {
  let image: string
  let sandbox: Sandbox
  let s3: S3Server
  let built: { readonly cwd: string; readonly env: Record<string, string>; readonly command: string }

  beforeAll(async () => {
    image = await mkdtemp(join(tmpdir(), 'image-'))
    ;[sandbox, s3] = await Promise.all([startSandbox({ products: 40, rateLimit: false }), startS3()])
    built = await build(image)
  }, 300_000)
  afterAll(async () => {
    await Promise.all([sandbox.close(), s3.close(), rm(image, { recursive: true, force: true })])
  })

  /** The program of the image, with these arguments and the environment of the pod. */
  async function runPod(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const service = {
      CATALOGUE_URL: sandbox.baseUrl,
      CATALOGUE_KEY_ID: sandbox.keyId,
      CATALOGUE_KEY_SECRET: sandbox.keySecret,
    }
    const here = args.map((argument) => toImagePath(image, argument))
    return runAside(built.command, here, { cwd: built.cwd, env: { ...built.env, ...service, ...env } })
  }

  test('the image, built in an empty folder, runs what the pod runs: everything the first time, the changes the second', async () => {
    const first = await runPod(podArguments)
    expect(first).toMatchObject({ code: 0 })
    sandbox.advance()
    const second = await runPod(podArguments)
    expect(second).toMatchObject({ code: 0 })
    const kinds = [first, second].map(({ stderr }) =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { event: string; pipeline?: string; kind?: string })
        .find(({ event, pipeline }) => event === 'run.published' && pipeline === 'products'),
    )
    expect(kinds).toMatchObject([{ kind: 'full' }, { kind: 'delta' }])
    expect(await readdir(join(image, 'data/products'))).toEqual(
      expect.arrayContaining(['_manifest.json', 'products.parquet']),
    )
  }, 120_000)

  test('the image, built in an empty folder, writes to a bucket', async () => {
    const config =
      'name: bucket\nsource: { endpoint: v4/brands/query, baseUrl: "${CATALOGUE_URL}", keyId: "${CATALOGUE_KEY_ID}", keySecret: "${CATALOGUE_KEY_SECRET}" }\noutputs: [{ format: csv, path: "s3://warehouse/{pipeline}/{table}.csv" }]\n'
    await writeFile(join(image, 'config/bucket.yaml'), config)
    expect(await runPod(['run', '/config/bucket.yaml'], s3.env)).toMatchObject({ code: 0 })
    expect(await s3.keys()).toContain('bucket/_manifest.json')
  }, 120_000)
})

const pod = parseAllDocuments(await readFile(join(recipes, 'kubernetes.yaml'), 'utf8'))[1]?.toJS() as {
  spec: { jobTemplate: { spec: { template: { spec: { containers: { args: string[] }[] } } } } }
}
const podArguments = pod.spec.jobTemplate.spec.template.spec.containers[0]?.args ?? []

/** A path of the image, as one below the folder that represents it. */
function toImagePath(image: string, text: string): string {
  return text.replaceAll(/(?<=^|[\s=:])\/(?=(?:app|data|config)\b)/g, `${image}/`)
}

/** Does what each step says; what it builds from is the package of this repository. */
async function build(image: string) {
  const [context, bin, home] = ['context', 'bin', 'home'].map((name) => join(image, name)) as [string, string, string]
  for (const folder of [context, bin, home, join(image, 'config')]) await mkdir(folder)
  const packed = spawnSync('npm', ['pack', '--pack-destination', context], { cwd: root, encoding: 'utf8' })
  expect(packed).toMatchObject({ status: 0 })
  await copyFile(join(recipes, 'products.yaml'), join(image, 'config/products.yaml'))
  await copyFile(join(root, 'pipelines/brands.yaml'), join(image, 'config/brands.yaml'))
  // There is no user "node" here.
  await writeFile(join(bin, 'chown'), '#!/bin/sh\n')
  await chmod(join(bin, 'chown'), 0o755)
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: home,
    npm_config_cache: join(home, 'npm'),
  }
  let cwd = image
  let command = ''
  for (const { instruction, argument } of steps) {
    const here = toImagePath(image, argument)
    if (instruction === 'WORKDIR') await mkdir((cwd = here), { recursive: true })
    else if (instruction === 'COPY') await copyMatching(context, here, cwd)
    else if (instruction === 'ENV') setVariable(env, here)
    else if (instruction === 'ENTRYPOINT') [command = ''] = JSON.parse(argument) as string[]
    else if (instruction === 'RUN') {
      const { status, stderr } = spawnSync('sh', ['-c', here], { cwd, env, encoding: 'utf8' })
      expect(status, `${argument}: ${stderr}`).toBe(0)
    } else expect(['FROM', 'USER']).toContain(instruction)
  }
  return { cwd, env, command }
}

async function copyMatching(context: string, argument: string, cwd: string): Promise<void> {
  const [pattern = '', to = ''] = argument.split(' ')
  const [start = '', end = ''] = pattern.split('*')
  const names = (await readdir(context)).filter((name) => name.startsWith(start) && name.endsWith(end))
  expect(names).toHaveLength(1)
  for (const name of names) await cp(join(context, name), join(cwd, to, name))
}

function setVariable(env: Record<string, string>, argument: string): void {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(argument) ?? []
  env[name] = value.replaceAll(/\$(\w+)/g, (_, other: string) => env[other] ?? '')
}
