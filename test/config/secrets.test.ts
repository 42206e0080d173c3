import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInMemory, type CliResult } from '../cli/memory-terminal.ts'
import { cases } from '../depth.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

const commands = [
  ['check'],
  ['check', '--json'],
  ['plan'],
  ['plan', '--json'],
  ['run'],
  ['run', '--json', '--log', 'json'],
  ['preview'],
]

/** Everything that any command says about a config. */
async function sayEverything(text: string, env: Record<string, string> = {}, name = 'config.yaml'): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  const out = join(folder, 'out')
  const results: CliResult[] = []
  for (const [command = '', ...rest] of commands)
    results.push(await runInMemory([command, file, '--out', out, ...rest], { env }))
  return results.map(({ stdout, stderr }) => stdout + stderr).join('\n')
}

/** A key secret as they are issued: long and like nothing else in a config. */
const secrets = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_+/=.-]{9,40}[A-Za-z0-9]$/)

/** Ways to write a credential, most of them wrong. */
const writings: readonly ((secret: string) => string)[] = [
  (secret) => `source:\n  endpoint: v4/brands/query\n  keySecret: ${secret}\n  oops: 1`,
  (secret) => `source: { endpoint: v4/brands/query, keyId: ${secret}, oops: 1, keySecret: "${secret}" }`,
  (secret) => `source: { oops: 1, keySecret: '${secret}', endpoint: v4/brands/qery }`,
  (secret) => `{ "source": { "keySecret":"${secret}", "oops": 1 } }`,
  (secret) => `{ "source": { "keySecret"\n:\n"${secret}", "oops": 1 } }`,
  (secret) => `source:\n  keySecret: |\n    ${secret}\n    ${secret}\n  keyId: >-\n    ${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: "${secret}\n    ${secret}"\n  oops: 1`,
  (secret) => `source:\n  keySecret:\n    ${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: [${secret}, { a: ${secret} }]\n  keyId: { key: ${secret} }`,
  (secret) => `source:\n  ? keySecret\n  : ${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecrt: ${secret}\n  key_id: ${secret}\n  apiKey: ${secret}\n  Password: ${secret}`,
  (secret) => `keySecret: ${secret}\nkeyId: ${secret}`,
  (secret) => `contract: { keySecret: ${secret} }\nwhere: { keySecret: ${secret} }`,
  (secret) => `source:\n  keySecret:${secret}`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  keySecret:${secret}\n  oops: 1`,
  (secret) => `source: { keySecret:${secret}, oops: 1 }`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  keySecret ${secret}\n  oops: 1`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  keySecret= ${secret}\n  oops: 1`,
  (secret) => `source: keySecret=${secret}`,
  (secret) => `source: &s\n  keySecret: ${secret}\nwhere: *s\ntables: { p: *s }`,
  (secret) => `x: &s ${secret}\nsource: { endpoint: v4/brands/query, keySecret: *s, oops: 1 }`,
  (secret) => `source: { endpoint: v4/brands/query, keySecret: &s ${secret} }\nname: *s\nlocales: [*s]`,
  (secret) => `source: { endpoint: v4/brands/query, keySecret: "${secret} }\noops: 1`,
  (secret) => `source: { endpoint: v4/brands/query, keySecret: ${secret}\noops: 1`,
  (secret) => `source:\n\tkeySecret: ${secret}`,
  (secret) => `source:\n  keySecret: !${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: *${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: &${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: @${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: |${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: a: ${secret}\n  oops: 1`,
  (secret) => `source:\n  keySecret: \${UNSET:-${secret}}\n  keyId: \${UNSET}`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  keySecret: \${UNSET} # was ${secret}\n  oops: 1`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  baseUrl: https://me:${secret}@example.com/`,
  (secret) => `source:\n  endpoint: v4/brands/query\n  baseUrl: htps://${secret}@example.com/?a=1\n  oops: 1`,
  (secret) => `source:\n  keySecret: ${secret}\n  keySecret: ${secret}\n  keyId: !x ${secret}`,
  (secret) => `source:\n  files: a\n  contract: v4/brand\n  keySecret: ${secret}`,
]

describe('secrets in messages', () => {
  test('a secret in a config is never shown, however it is written', { timeout: 60_000 }, async () => {
    for (const write of writings) {
      await fc.assert(
        fc.asyncProperty(secrets, async (secret) => {
          const said = await sayEverything(`name: x\n${write(secret)}\n`)
          expect(said).not.toContain(secret)
        }),
        { numRuns: cases(4, 1) },
      )
    }
  })

  test.each(['1234567890123', '0x1234567890', '1987-06-05', '12345.678901'])(
    'a secret that YAML reads as another type is never shown: %s',
    async (secret) => {
      const said = await sayEverything(`name: x
source: { keySecret: ${secret}, keyId: ${secret} }
`)
      expect(said).not.toContain(secret)
      expect(said).not.toContain(String(Number(secret)))
      expect(said).toContain('source: expected either files or an endpoint')
    },
  )

  test('a secret from the environment is never shown', { timeout: 60_000 }, async () => {
    const places = [
      'keySecret: ${SECRET}',
      'keySecret: ${SECRET}\n  baseUrl: https://example.com/${SECRET}',
      'keySecret: ${SECRET}\n  files: data/${SECRET}.ndjson',
      'keySecret: ${SECRET}\n  contract: ${SECRET}',
      'keySecret: ${SECRET}\n  filter: { id: "${SECRET}" }',
      'keySecret: ${SECRET}\nname: ${SECRET}',
      'keySecret: ${SECRET}\noutputs: [{ format: csv, path: "${SECRET}/{x}.csv" }]',
      `keySecret: \${SECRET}\nlocales: ["${'a'.repeat(50)}\${SECRET}"]`,
      'keySecret: ${SECRET}\nwhere: { status: "${SECRET}" }',
    ]
    for (const place of places) {
      await fc.assert(
        fc.asyncProperty(secrets, async (secret) => {
          const env = { SECRET: secret, URL: 'https://example.com' }
          const text = `${place.includes('name:') ? '' : 'name: x\n'}source:\n  endpoint: v4/brands/query\n  keyId: k\n  ${place}\n`
          const said = await sayEverything(text, env)
          expect(said).not.toContain(secret)
          expect(said).not.toContain(secret.slice(0, 8))
        }),
        { numRuns: cases(4, 2) },
      )
    }
  })

  test('a secret in a module is never shown', async () => {
    const secret = 'q8Zk3mP0wXyT'
    const said = [
      await sayEverything(`export default { name: 'x', source: { keySecret: '${secret}', oops: 1 } }`, {}, 'a.mjs'),
      await sayEverything(`export default { name: 'x', source: { keySecret: ['${secret}'] } }`, {}, 'b.mjs'),
      await sayEverything(`export default { name: 'x', source: { keySecret: '${secret}' oops: 1 } }`, {}, 'c.ts'),
    ]
    expect(said.join('\n')).not.toContain(secret)
  })

  test('a secret in --set is never shown', async () => {
    const secret = 'q8Zk3mP0wXyT'
    const file = join(folder, 'set.yaml')
    await writeFile(file, 'name: x\nsource: { endpoint: v4/brands/query }\n')
    const settings = [`source.keySecret=${secret}`, `source.keySecret={${secret}`, `source.keySecret:${secret}`]
    for (const setting of [
      ...settings,
      `source.keySecret=[${secret}]`,
      `source.keySecrt=${secret}`,
      `source=keySecret=${secret}`,
    ]) {
      const { stdout, stderr } = await runInMemory(['run', file, '--json', '--set', setting])
      expect(stdout + stderr).not.toContain(secret)
    }
  })
})

test('a secret elsewhere than in keySecret is a problem, before it is printed', async () => {
  const file = join(folder, 'elsewhere.yaml')
  const source =
    'source: { endpoint: v4/brands/query, baseUrl: "https://example.com", keyId: k, keySecret: "${SECRET}" }'
  await writeFile(file, `name: x\n${source}\nmanifest: { path: "out/\${SECRET}.json" }\n`)
  const { stdout, stderr, exitCode } = await runInMemory(['plan', file], { env: { SECRET: 'q8Zk3mP0wXyT' } })
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  expect(stderr).toContain('expected the key secret nowhere but in source.keySecret, as this would be printed')
})

test('secrets that are set leave no trace in what a run publishes', async () => {
  const input = join(folder, 'brands.ndjson')
  await writeFile(input, '{"id":1,"name":{"nl":"A"}}\nnot JSON\n')
  const file = join(folder, 'publish.yaml')
  const config = `name: x\nsource: { files: "${input}", contract: v4/brand }\nrejects: { limit: 5 }\n`
  await writeFile(file, config)
  const out = join(folder, 'published')
  const env = { CATALOGUE_KEY_ID: 'k7Zk3mP0wXyT', CATALOGUE_KEY_SECRET: 'q8Zk3mP0wXyT' }
  const { exitCode, stdout, stderr } = await runInMemory(['run', file, '--json', '--out', out, '--log', 'json'], {
    env,
  })
  expect(exitCode).toBe(0)
  const names = await readdir(join(out, 'x'))
  expect(names).toEqual(expect.arrayContaining(['_manifest.json', '_rejects.ndjson', 'brands.csv', 'brands.parquet']))
  const texts = await Promise.all(names.map((name) => readFile(join(out, 'x', name), 'latin1')))
  for (const secret of Object.values(env)) expect([stdout, stderr, ...texts].join('\n')).not.toContain(secret)
})
