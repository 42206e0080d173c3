import { mkdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectS3 } from '../../../src/storage/s3/load-s3.ts'
import { createObjectClient } from '../../../src/storage/s3/object-client.ts'
import { startS3, type S3Server } from '../../storage/s3/start-s3.ts'
import { fewOf } from '../../depth.ts'
import { BuiltCli } from '../built-cli.ts'
import { runInFolder } from '../memory-terminal.ts'
import { RunFolder } from '../run-folder.ts'

let cli: BuiltCli
let folder: RunFolder
let s3: S3Server

beforeAll(async () => {
  ;[cli, folder, s3] = await Promise.all([BuiltCli.build(), RunFolder.create(), startS3()])
  await folder.generate('brands.ndjson', 'v4/brand', 20)
})
afterAll(() => Promise.all([folder.remove(), s3.close()]))

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)

test('with a bucket and --quiet --log json, standard error is lines of JSON or nothing, on every version of Node', async () => {
  const outputs = 'outputs: [{ format: csv, path: "s3://warehouse/{pipeline}/{table}.csv" }]\n'
  const config = await folder.config('bucket', 'brands.ndjson', outputs)
  const run = (env: Record<string, string>) =>
    cli.start(['run', config, '--quiet', '--log', 'json'], { cwd: folder.path, env }).end()
  const published = await run(s3.env)
  expect(published.code).toBe(0)
  expect(await s3.keys()).toContain('bucket/_manifest.json')
  linesOf(published.stderr)
  const failed = await run({ ...s3.env, AWS_ACCESS_KEY_ID: 'nobody' })
  expect(failed.code).toBe(2)
  expect(linesOf(failed.stderr)).toContainEqual(
    expect.objectContaining({ event: 'run.failed', code: 'OUTPUT_REFUSED' }),
  )
})

test('the credentials of a bucket may come from --env, for every command that reads or writes there', async () => {
  const variables = Object.entries(s3.env).map(([name, value]) => `${name}=${value}\n`)
  await folder.write('bucket.env', variables.join(''))
  const outputs = 'outputs: [{ format: csv, path: "s3://warehouse/{pipeline}/{table}.csv" }]\n'
  const config = await folder.config('by-file', 'brands.ndjson', outputs)
  const common = [config, '--env', 'bucket.env']
  const commands = [
    ['run', ...common, '--quiet'],
    ['verify', ...common],
    ['rejects', 'show', ...common],
    ['run', ...common, '--quiet', '--from', 's3://warehouse/by-file/source.ndjson'],
    ['preview', ...common, '--from', 's3://warehouse/by-file/source.ndjson'],
  ]
  const client = createObjectClient(await connectS3(s3.env, 's3://warehouse'))
  await client.put('s3://warehouse/by-file/source.ndjson', await readFile(folder.at('brands.ndjson')))
  client.close()
  for (const command of commands) {
    const { code, stderr } = await runInFolder(folder.path, command)
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: expect.not.stringContaining('refused') })
  }
})

const stops = [
  ['looks for', 'HEAD'],
  ['reads', 'GET'],
] as const

test.each(fewOf(stops, stops[1]))(
  'a run that is stopped as it %s the state, over two nights of another machine, ends with exit code 6 and publishes nothing',
  async (_, method) => {
    const home = `s3://warehouse/nights-${method}`
    const outputs = `outputs: [{ format: ndjson, path: "${home}/{table}.ndjson", mode: merge }]`
    const tables = 'tables: { products: { columns: [id] } }'
    const yaml = `name: nights\nsource: { files: "-", contract: v4/product }\nmaxRemoved: 50%\n${tables}\n${outputs}\n`
    const config = await folder.write('nights.yaml', yaml)
    const startOn = async (machine: string) => {
      const TMPDIR = folder.at(machine)
      await mkdir(TMPDIR, { recursive: true })
      const env = { ...s3.env, TMPDIR, CATALOGUE_LEASE_SECONDS: '1' }
      return cli.start(['run', config, '--quiet', '--log', 'text', '--wait', '1m'], { cwd: folder.path, env })
    }
    const runOn = async (machine: string, ids: string) => (await startOn(machine)).end(toLines(ids))
    expect(await runOn('first', 'A B')).toMatchObject({ code: 0, stderr: '' })

    s3.faults.push({ method, where: `nights-${method}/_state`, how: 'hold' })
    const stopped = await startOn('first')
    stopped.write(toLines('A B C'))
    if (method === 'GET') void stopped.end()
    await vi.waitUntil(() => s3.held.length > 0, { timeout: 20_000 })
    stopped.kill('SIGSTOP')
    for (const night of ['A B D', 'A B D E']) expect(await runOn('second', night)).toMatchObject({ code: 0 })
    const published = await s3.objects()
    s3.held.splice(0).forEach((release) => release())
    stopped.kill('SIGCONT')
    const { code, stderr } = await stopped.end()
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('Another run has taken over') as string,
    })
    expect([await s3.objects(), await s3.openUploads()]).toEqual([published, []])
    expect(await runOn('first', 'A B D E')).toMatchObject({ code: 0, stderr: '' })
  },
)

const toLines = (ids: string): string =>
  ids
    .split(' ')
    .map((id) => `${JSON.stringify({ id })}\n`)
    .join('')
