import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginsAsExport, recognizeExport } from '../../src/plan/source/recognize-export.ts'
import { generateDocument, generateLines } from '../../src/sandbox/data/generate-lines.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recognize-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const recognize = async (name: string, content: string | Uint8Array) =>
  recognizeExport(await write(name, content), { signal })

const products = (contract: 'v3/product' | 'v4/product', envelope = true) =>
  Buffer.concat([...generateLines({ contract, records: 5, seed: 1, envelope })])

describe('recognizeExport', () => {
  test('a stream, bare records, gzip and a document are recognized by their records', async () => {
    const document = Buffer.concat([...generateDocument({ contract: 'v3/product', records: 5, seed: 1 })])
    expect((await recognize('stream', products('v4/product'))).contract).toBe('v4/product')
    expect((await recognize('export', products('v3/product'))).contract).toBe('v3/product')
    expect((await recognize('bare', products('v4/product', false))).contract).toBe('v4/product')
    expect((await recognize('packed', gzipSync(products('v4/product')))).contract).toBe('v4/product')
    expect((await recognize('document.json', document)).contract).toBe('v3/product')
  })

  test('lines that are not records are skipped', async () => {
    const { contract, reason } = await recognize(
      'torn',
      Buffer.concat([Buffer.from('\n{"id": \n'), products('v4/product')]),
    )
    expect(contract).toBe('v4/product')
    expect(reason).toMatch(/^recognized by \d+ of its fields in the first 5 records$/)
  })

  test('several candidates are an error that names them and the option', async () => {
    const lines = '{"id":1,"name":{"nl":"Merel"},"meta":null}\n'
    await expect(recognize('brands', lines)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('got those of several: v4/active-ingredient, v4/brand') as string,
      fix: expect.stringContaining('--contract v4/active-ingredient') as string,
    })
  })

  test('fields that fit no resource are an error that names them', async () => {
    await expect(recognize('invoices', '{"id":1,"invoice":2,"customer":3}\n')).rejects.toThrow(
      'expected the fields of one resource in its records, got fields of none: id, invoice, customer',
    )
  })

  test('a file without a record is an error', async () => {
    await expect(recognize('empty', '')).rejects.toThrow('expected records of a resource, got no record')
    await expect(recognize('text', 'not JSON\n')).rejects.toThrow('got no record')
  })
})

describe('beginsAsExport', () => {
  test.each([
    ['a stream', '{"meta":{"total":1,"index":0},"result":{"id":1}}\n', true],
    ['a record', '{"id":1,"name":"x"}\n', true],
    ['a document', '{"meta":{"total":0},"results":[]}', true],
    ['a list', '[{"id":1}]', true],
    ['a config', '{"name":"products","source":{"files":"x","contract":"v4/product"}}', false],
    ['a config on several lines', '{\n  "$schema": "x",\n  "name": "a",\n  "source": {}\n}\n', false],
    ['nothing', '', false],
  ])('%s', async (name, content, expected) => {
    expect(await beginsAsExport(await write(`${name}.json`, content))).toBe(expected)
  })

  test('a missing file is not an export, and is reported as a missing config', async () => {
    expect(await beginsAsExport(join(folder, 'none.json'))).toBe(false)
  })
})
