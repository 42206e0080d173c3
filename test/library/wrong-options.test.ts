import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stream } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CatalogueError } from '../../src/index.ts'
import { startSandbox } from '../../src/sandbox.ts'
import { columnsOf } from '../../src/streams.ts'
import { file, started, ways } from './ways-in.ts'

let folder: string
let before: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrong-options-'))
  before = process.cwd()
  process.chdir(folder)
  await writeFile(file, '{"id":"M1"}\n')
  started.sandbox = await startSandbox({ products: 1 })
})
afterAll(async () => {
  process.chdir(before)
  await started.sandbox?.close()
  await rm(folder, { recursive: true })
})

/** What a call throws or rejects with; null if it does not. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const result = await call()
    if (result instanceof Stream) (result as Stream & { destroy: () => void }).destroy()
    return null
  } catch (thrown) {
    return thrown
  }
}

/** The values whose call does not end in a CatalogueError that says this. */
async function listTaken(
  call: (options: unknown) => unknown,
  given: readonly (readonly [options: unknown, told: string])[],
): Promise<unknown[]> {
  const taken: unknown[] = []
  for (const [options, told] of given) {
    const error = await errorOf(() => call(options))
    const isRefused = error instanceof CatalogueError && error.exitCode === 2 && error.message.includes(told)
    if (!isRefused) taken.push({ options, told, error: String(error) })
  }
  return taken
}

describe('options of the library', () => {
  test.each(Object.entries(ways))('%s refuses each wrong value with the name of its option', async (_name, way) => {
    const given = Object.entries(way.wrong).flatMap(([option, values]) =>
      values.map((value) => [{ ...way.right, [option]: value }, option] as const),
    )
    expect(await listTaken(way.call, given)).toEqual([])
    expect(await readdir('.')).toEqual([file])
  })

  test.each(Object.entries(ways))('%s refuses misspelt options, and what is no object', async (_name, way) => {
    const misspelt = Object.keys(way.wrong).map((option) => {
      return [{ ...way.right, [`${option}x`]: 1 }, `did you mean "${option}"?`] as const
    })
    const others = [null, 5, 'x', [1], () => 1].map((value) => [value, 'expected an object of options, got'] as const)
    expect(await listTaken(way.call, [...misspelt, ...others])).toEqual([])
    expect(await readdir('.')).toEqual([file])
  })

  test('columnsOf takes undefined for each option as if it were missing', () => {
    const names = Object.keys(ways['columnsOf']?.wrong ?? {})
    const right = { contract: 'v4/product', table: 'products' } as const
    expect(columnsOf({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...right })).toEqual(
      columnsOf(right),
    )
  })
})
