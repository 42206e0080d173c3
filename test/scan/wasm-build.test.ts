import { readFile } from 'node:fs/promises'
import { main } from 'assemblyscript/asc'
import { expect, test } from 'vitest'

test('src/scan/scan.wasm is what `npm run wasm` makes of assembly/', async () => {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { scripts } = JSON.parse(manifest) as { scripts: { wasm: string } }
  const [, command = ''] = /^asc (.*)$/.exec(scripts.wasm) ?? []
  const built = new Map<string, Uint8Array>()
  const { error } = await main(command.split(' '), {
    writeFile: (name, contents) => void built.set(name, Buffer.from(contents)),
  })
  expect(error).toBeNull()
  const committed = await readFile(new URL('../../src/scan/scan.wasm', import.meta.url))
  expect(Buffer.from(built.get('src/scan/scan.wasm') ?? []).equals(committed)).toBe(true)
}, 60_000)
