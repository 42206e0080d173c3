import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { families } from '../../src/cli/log/metrics.ts'
import { exitCodes } from '../../src/errors.ts'
import { runInMemory } from '../cli/memory-terminal.ts'

const root = join(import.meta.dirname, '../..')
const text = await readFile(join(root, 'docs/scheduling.md'), 'utf8')
const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, content = '']) => content)

const recipes = await readFolder(join(root, 'docs/recipes/nightly'))

async function readFolder(path: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(path)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(path, name), 'utf8')] as const)),
  )
}

function recipe(name: string): string {
  const content = recipes.get(name)
  expect(content).toBeDefined()
  return content!
}

let folder: string
/** Programs that replace others; each call leaves a line in `calls`. */
let bin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scheduling-'))
  bin = join(folder, 'bin')
  for (const name of ['bin', 'srv/catalogue', 'etc/catalogue', 'var/log/catalogue', 'tasks'])
    await mkdir(join(folder, name), { recursive: true })
})
beforeEach(async () => {
  for (const name of await readdir(join(folder, 'var/log/catalogue'))) await rm(join(folder, 'var/log/catalogue', name))
  await rm(join(folder, 'calls'), { force: true })
})
afterAll(() => rm(folder, { recursive: true }))

/** Paths of the machine, as paths below the folder. */
function here(content: string): string {
  return content.replaceAll(/(?<=[\s="'])\/(?=(?:srv|etc\/catalogue|var\/log)\b)/g, `${folder}/`)
}

async function install(name: string, script: string): Promise<void> {
  await writeFile(join(bin, name), script)
  await chmod(join(bin, name), 0o755)
}

/** Ends with one code after the other, and says what the last one of them says. */
async function installTool(codes: readonly number[], document: unknown = {}): Promise<void> {
  await writeFile(join(folder, 'codes'), codes.map((code) => `${code}\n`).join(''))
  await writeFile(join(folder, 'document'), JSON.stringify(document))
  const calls = `echo "catalogue-etl $*" >> '${folder}/calls'`
  const next = `code=$(head -n 1 '${folder}/codes'); sed -i 1d '${folder}/codes'`
  await install(
    'catalogue-etl',
    `#!/bin/sh\n${calls}\n${next}\ncat '${folder}/document'\necho "said $code" >&2\nexit $code\n`,
  )
  await install('sleep', `#!/bin/sh\necho "sleep $1" >> '${folder}/calls'\n`)
}

function call(command: string, args: readonly string[], cwd = folder) {
  const env = { PATH: `${bin}:${process.env['PATH']}` }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

async function countCalls(): Promise<number> {
  const calls = await readFile(join(folder, 'calls'), 'utf8')
  return calls.split('\n').filter((line) => line.startsWith('catalogue-etl run ')).length
}

/** Tries that end with these codes: how many of them are made, and what comes of it. */
const nights = [
  { codes: [0], tries: 1, status: 0 },
  { codes: [4, 0], tries: 2, status: 0 },
  { codes: [6, 5, 0], tries: 3, status: 0 },
  { codes: [4, 4, 4, 4, 0], tries: 4, status: 4 },
  { codes: [4, 2, 0], tries: 2, status: 2 },
  { codes: [1, 0], tries: 1, status: 1 },
  { codes: [3, 0], tries: 1, status: 3 },
  { codes: [130, 0], tries: 1, status: 130 },
]

describe('cron', () => {
  test.each(nights)(
    'the cron example of $codes makes $tries tries and ends with $status',
    async ({ codes, tries, status }) => {
      await installTool(codes)
      await install('catalogue-nightly', here(recipe('catalogue-nightly')))
      const end = runCronLine()
      expect(end.status).toBe(status)
      expect(await countCalls()).toBe(tries)
      // All that is printed is mailed: by the tool, which here prints its document, nothing.
      const mailed = (end.stdout + end.stderr).replaceAll('{}', '')
      expect(mailed.startsWith(`catalogue-etl ended with ${status}; the end of`)).toBe(status !== 0)
      expect(mailed === '').toBe(status === 0)
    },
  )
})

describe('systemd', () => {
  const hasVerify = call('systemd-analyze', ['--version']).status === 0

  test.skipIf(!hasVerify)('systemd-analyze finds nothing wrong with the units of the systemd example', async () => {
    await installTool([0])
    await install('page-data-team', '#!/bin/sh\n')
    const units = ['catalogue.service', 'catalogue.timer', 'catalogue-page@.service']
    for (const unit of units) {
      const content = recipe(unit).replaceAll('/usr/local/bin/', `${bin}/`)
      await writeFile(join(folder, unit), content)
    }
    const { status, stderr } = call('systemd-analyze', ['verify', ...units.slice(0, 2)])
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('catalogue')) }).toEqual({
      status: 0,
      stderr: [],
    })
  })

  test('the systemd example calls a human at once exactly where another try does not help', () => {
    const unit = recipe('catalogue.service')
    expect(unit).toContain('RestartPreventExitStatus=1 2 3\n')
    expect(unit).toContain('OnFailure=catalogue-page@%n.service\n')
  })
})

describe('Airflow', () => {
  const hasPython = call('python3', ['--version']).status === 0

  test.skipIf(!hasPython).each([
    { code: 4, end: 'retry' },
    { code: 3, end: 'fail' },
  ])('each task of the Airflow example of $code makes $end', async ({ code, end }) => {
    await installTool([code, code])
    const dag = join(folder, 'catalogue.py')
    await writeFile(dag, here(recipe('catalogue_dag.py')))
    const env = {
      PATH: `${bin}:${process.env['PATH']}`,
      PYTHONPATH: join(root, 'airflow'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const stub = join(root, 'test/airflow/stub.py')
    const { stdout } = spawnSync('python3', [stub, dag], { env, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject([
      { task: 'products', end },
      { task: 'brands', end },
    ])
    const calls = await readFile(join(folder, 'calls'), 'utf8')
    expect(calls).toContain('catalogue-etl run pipelines/brands.yaml --wait 30m --json\n')
  })
})

describe('Kubernetes', () => {
  test('the Kubernetes example has a claim and a job that fails at once exactly where another try does not help', () => {
    const documents = parseAllDocuments(recipe('kubernetes.yaml'))
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    const [claim, job] = documents.map((document) => document.toJS() as CronJob)
    expect([claim?.kind, job?.kind]).toEqual(['PersistentVolumeClaim', 'CronJob'])
    const { spec } = job!.spec.jobTemplate
    const [rule] = spec.podFailurePolicy.rules
    const pod = spec.template.spec
    const [container] = pod.containers
    expect(rule).toEqual({
      action: 'FailJob',
      onExitCodes: { containerName: container!.name, operator: 'In', values: [1, 2, 3] },
    })
    // The policy asks for it.
    expect(pod.restartPolicy).toBe('Never')
    const volumes = pod.volumes.map(({ name }) => name)
    expect(container!.volumeMounts.map(({ name }) => name)).toEqual(volumes)
    expect(pod.volumes[0]!.persistentVolumeClaim?.claimName).toBe(claim!.metadata.name)
    expect(text).toContain(`create configmap ${pod.volumes[1]!.configMap!.name} `)
    expect(text).toContain(`create secret generic ${container!.envFrom[0]!.secretRef.name} `)
  })

  interface CronJob {
    readonly kind: string
    readonly metadata: { readonly name: string }
    readonly spec: { readonly jobTemplate: { readonly spec: JobSpec } }
  }

  interface JobSpec {
    readonly podFailurePolicy: { readonly rules: readonly object[] }
    readonly template: {
      readonly spec: {
        readonly restartPolicy: string
        readonly containers: readonly {
          readonly name: string
          readonly args: readonly string[]
          readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[]
          readonly volumeMounts: readonly { readonly name: string }[]
        }[]
        readonly volumes: readonly {
          readonly name: string
          readonly persistentVolumeClaim?: { readonly claimName: string }
          readonly configMap?: { readonly name: string }
        }[]
      }
    }
  }
})

describe('GitHub Actions', () => {
  const workflow = parse(recipe('github-workflow.yml')) as {
    readonly on: { readonly schedule: readonly { readonly cron: string }[] }
    readonly jobs: { readonly load: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] } }
  }
  const script = workflow.jobs.load.steps.find(({ name }) => name === 'Run')!.run!

  test('the GitHub Actions example is a workflow with a schedule', () => {
    expect(workflow.on.schedule).toEqual([{ cron: '15 2 * * *' }])
  })

  test.each(nights.filter(({ tries }) => tries < 4))(
    'the GitHub Actions example of $codes makes $tries tries and ends with $status',
    async ({ codes, tries, status }) => {
      await installTool(codes)
      // As GitHub calls it.
      const end = call('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script])
      expect(end.status).toBe(status)
      expect(await countCalls()).toBe(tries)
      expect(end.stdout).toBe(status === 0 ? '' : `::error::catalogue-etl ended with ${status}\n`)
      expect(JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))).toEqual({})
    },
  )
})

test('every recipe has a link on scheduling.md', () => {
  for (const name of recipes.keys()) expect(text).toContain(`](recipes/nightly/${name})`)
})

test.each(blocks)('the block %s of scheduling.md is shell', (content) => {
  expect(call('sh', ['-n', '-c', content])).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('every command line of scheduling.md and its recipes has options that exist', async () => {
  const joined = [text, ...recipes.values()].join('\n').replaceAll('\\\n', ' ')
  const lines = [...joined.matchAll(/catalogue-etl run (.*?)(?: 2>>| > report|\n)/g)].map(([, args = '']) => args)
  const argvs = lines.map((line) =>
    line
      .replace(/--on-failure '.*'/, '--on-failure true')
      .trim()
      .split(/\s+/),
  )
  const pod = /args:\s*\[([^\]]*)\]/
    .exec(recipe('kubernetes.yaml'))![1]!
    .split(',')
    .map((argument) => argument.replace(/[\s']/g, ''))
  argvs.push(pod.filter((argument) => argument !== '').slice(1))
  expect(argvs.length).toBeGreaterThanOrEqual(4)
  for (const argv of argvs) {
    // The configs are not there; the command line was understood before that is found out.
    const withoutFiles = argv.map((argument) => argument.replace(/^\/(?:etc|var)\/.*\.(\w+)$/, `${folder}/x.$1`))
    await writeFile(join(folder, 'x.env'), 'A=1\n')
    const { stderr } = await runInMemory(['run', ...withoutFiles])
    expect(stderr).toMatch(/expected a config file|CONFIG_INVALID/)
    expect(stderr).not.toContain('USAGE')
  }
})

test('the hook for a chat in scheduling.md says why, whatever failed', async () => {
  if (call('jq', ['--version']).status !== 0) return
  const [, command = ''] = /--on-failure '(.*) \| curl/.exec(text) ?? []
  const say = (document: unknown): unknown => {
    const { stdout } = spawnSync('sh', ['-c', command], { input: JSON.stringify(document), encoding: 'utf8' })
    return JSON.parse(stdout)
  }
  expect(say({ runs: [{ report: {} }, { error: { message: 'a' } }, { error: { message: 'b' } }] })).toEqual({
    text: 'a; b',
  })
  expect(say({ error: { message: 'c' }, problems: [] })).toEqual({ text: 'c' })
})

const codesIn = (words: string): Set<number> => new Set((words.match(/\d+/g) ?? []).map(Number))

test('the table of exit codes in scheduling.md, and the README, say when a retry can help', async () => {
  const rows = [...text.matchAll(/^\| (\d+) +\|[^|]*\| (yes|no\b|not needed|) *[^|]*\|/gm)]
  const ofPage = rows.map(([, code, retry]) => [Number(code), retry === 'yes'])
  const retried = new Set<number>([exitCodes.source, exitCodes.output, exitCodes.locked, exitCodes.interrupted])
  expect(ofPage).toEqual(Object.values(exitCodes).map((code) => [code, retried.has(code)]))
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, again = '', human = ''] = /0 published; ([\d, and]+) try again; ([\d, and]+) call a human/.exec(readme) ?? []
  expect(codesIn(again)).toEqual(retried)
  expect(codesIn(human)).toEqual(new Set(Object.values(exitCodes).filter((code) => code !== 0 && !retried.has(code))))
})

test('every exit code and event is in its table of scheduling.md', async () => {
  for (const code of Object.values(exitCodes)) expect(text).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'))
  const folderOfCommands = join(root, 'src/cli')
  const names = (await readdir(folderOfCommands, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const sources = await Promise.all(names.map((name) => readFile(join(folderOfCommands, name), 'utf8')))
  const events = sources.flatMap((source) => [
    ...source.matchAll(/'((?:run|source|fetch|config|command|hook|metrics)\.[a-z]+)'/g),
  ])
  expect(events.length).toBeGreaterThan(8)
  for (const [, event = ''] of events) expect(text).toContain(`\`${event}\``)
})

test('the alerts are rules over metrics that exist', () => {
  const { groups } = parse(recipe('alerts.yml')) as { groups: { rules: { expr: string }[] }[] }
  const names = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/catalogue_etl_\w+/g) ?? []))
  expect(names.length).toBeGreaterThan(1)
  for (const name of names) expect(families.map((family) => family.name)).toContain(name)
})

/** As crond does: the environment of the file, then the command by its shell. */
function runCronLine() {
  const lines = recipe('catalogue.crontab').trimEnd().split('\n').slice(1)
  const settings = lines.slice(0, -1).map((line) => /^([A-Z]+)=(\S+)$/.exec(line)!.slice(1) as [string, string])
  const [, schedule, user, command] = /^((?:[\d*,/-]+ ){5})(\w+) (.+)$/.exec(lines.at(-1)!)!
  expect({ schedule, user }).toEqual({ schedule: '15 2 * * * ', user: 'catalogue' })
  const { SHELL, PATH } = Object.fromEntries(settings)
  const env = { PATH: `${bin}:${PATH}` }
  const { status, stdout, stderr } = spawnSync(SHELL!, ['-c', command!], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}
