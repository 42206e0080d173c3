import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usualMedia } from '../../src/config/schemas/media-schema.ts'
import { missingReasons } from '../../src/media/media-entry.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { dialects } from '../sandbox/dialects.ts'
import { DownloadFolder, listProblems } from './media-folder.ts'
import { cases, someOf } from '../depth.ts'

/* docs/media.md: its commands work as they are written, and its tables have every key and reason. */

const page = await readFile(new URL('../../docs/media.md', import.meta.url), 'utf8')
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter((line) => line.startsWith('catalogue-etl '))
  .map((line) => line.replace(/ +#.*$/, '').slice('catalogue-etl '.length))

let cli: BuiltCli

beforeAll(async () => {
  cli = await BuiltCli.build()
})

describe.each(someOf(dialects, 'loose'))('docs/media.md against the %s dialect', (dialect) => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox({ products: cases(80, 15), images: true, rateLimit: false, dialect })
  })
  afterAll(() => sandbox.close())

  test('its commands work in order, and leave every file that they list', async () => {
    expect(commands.length).toBeGreaterThanOrEqual(6)
    const env = {
      CATALOGUE_URL: sandbox.baseUrl,
      CATALOGUE_KEY_ID: sandbox.keyId,
      CATALOGUE_KEY_SECRET: sandbox.keySecret,
    }
    const folder = dirname(dirname(cli.path))
    for (const command of commands) {
      // The sandbox has an address of this machine.
      const local = command.startsWith('media') ? ['--allow-private'] : []
      const [name = '', config = '', ...rest] = splitWords(command)
      const { code, stderr } = await cli.start([name, config, ...local, ...rest], { cwd: folder, env }).ended
      expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' })
    }
    expect(await listProblems(`${folder}/images`)).toEqual([])
    expect(await listProblems(`${folder}/thumbnails`)).toEqual([])
  })
})

test('the config section of docs/media.md has no problem', async () => {
  const [, section = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  const folder = await DownloadFolder.create()
  const source = { files: 'products.ndjson', contract: 'v4/product' }
  const config = await folder.config({ source, ...(parse(section) as object) })
  const { code, stdout } = await cli.start(['check', config, '--json']).ended
  expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, problems: [] })
  await folder.remove()
})

function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

test('docs/media.md has every reason, and docs/config-keys.md every key of the section', async () => {
  const keyPage = await readFile(new URL('../../docs/config-keys.md', import.meta.url), 'utf8')
  const section = keyPage.slice(keyPage.indexOf('## The section `media`'))
  const words = new Set([...`${page}\n${section}`.matchAll(/^\| `([\w-]+)`/gm)].map(([, word]) => word))
  const keys = Object.keys(usualMedia())
  expect([...keys, ...missingReasons].filter((word) => !words.has(word))).toEqual([])
})
