import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { isDeep } from '../depth.ts'
import { PageCommands } from '../docs/page-commands.ts'
import { digestsOf, installByNpm, pack, run, usualResults, type Packed } from './packed.ts'

describe.runIf(isDeep)('the library in tests of others', () => {
  let packed: Packed
  let usual: Record<string, string>

  beforeAll(async () => {
    packed = await pack(isDeep ? 2000 : 200)
    usual = await usualResults(packed)
  }, 600_000)

  test('Jest, where what Node throws is no Error of a test, sees the codes and bytes of a script', async () => {
    const project = await installByNpm(packed, 'jest', 'jest@30.5.2')
    await writeFile(join(project, 'work.test.mjs'), toTest(packed, project))
    const args = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/*.test.mjs']
    await run(execPath, [...args, '--transform', '{}'], project)
    expect(await digestsOf(join(project, 'out'))).toEqual(usual)
    await runPage(project, /^NODE_OPTIONS=.* jest /)
  })

  test('vitest sees the codes and bytes of a script', async () => {
    const project = await installByNpm(packed, 'vitest', 'vitest@5.1.2')
    await writeFile(join(project, 'work.test.mjs'), `import { expect, test } from 'vitest'\n${toTest(packed, project)}`)
    await run(execPath, ['node_modules/vitest/vitest.mjs', 'run'], project)
    expect(await digestsOf(join(project, 'out'))).toEqual(usual)
    await runPage(project, /^npx vitest /)
  })
})

/** Runs the tests of docs/testing.md by one of its commands. */
async function runPage(project: string, command: RegExp): Promise<void> {
  const { files, blocks } = await PageCommands.read('testing.md')
  const folder = join(project, 'page')
  await mkdir(folder)
  for (const [name, text] of files) await writeFile(join(folder, name), text)
  await writeFile(join(folder, 'package.json'), '{}')
  const lines = blocks.flatMap(({ language, content }) => (language === 'sh' ? content.split('\n') : []))
  const { stdout, stderr } = await run('sh', ['-ec', lines.find((line) => command.test(line)) ?? ''], folder)
  expect(stdout + stderr).toMatch(/Tests: +4 passed|Tests .*4 passed/)
}

/** Also writes into a file as if it were a folder, and hands dates and promises of its own realm to stages. */
function toTest({ input }: Packed, project: string): string {
  return `import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runPipeline } from 'catalogue-etl'
import { toCsv } from 'catalogue-etl/streams'
import { work } from './job.mjs'

const [input, folder] = ${JSON.stringify([input, join(project, 'out')])}

test('the job', () => work(input, folder), 100_000)

test('an output that cannot be', async () => {
  const outputs = [{ format: 'csv', path: 'job.mjs/{table}.csv' }]
  const config = { name: 'refused', source: { files: [input], contract: 'v4/product' }, outputs }
  await expect(runPipeline(config)).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
})

test('dates of its own', async () => {
  const rows = Readable.from([{ at: new Date(0) }]).pipe(toCsv())
  expect(await text(rows)).toBe('at\\n1970-01-01T00:00:00Z\\n')
})
`
}
