import * as fc from 'fast-check'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { contractNames } from '../../src/contracts/contracts.ts'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import {
  contracts,
  parseRecords,
  readRows,
  splitLines,
  type ContractName,
  type ReadRowsOptions,
  type RejectedLine,
  type TableOptions,
  type TableRow,
  validateRecords,
} from '../../src/streams.ts'
import { cases } from '../depth.ts'
import { createDraw, mutateLine } from '../kernel/scan/mutate-line.ts'
import { collect, toChunks } from './collect.ts'
import { toReadRows, toTableStages } from './table-stages.ts'
import type { Completeness, Drift } from '../../src/manifest/manifest.ts'

const contract = contracts['v4/product']
const options = { contract, table: 'products', columns: ['id'] } satisfies ReadRowsOptions
const wrong = '{"id":"M9","photos":[{"displayOrder":"first"}]}\n'

describe('rows and rejects of readRows', () => {
  test.each(contractNames)(
    'readRows gives the rows and rejects of the composed stages for generated and damaged lines of %s',
    async (name) => {
      const { given, expected } = await readBothWays(name, { table: contracts[name].plural })
      expect(given).toEqual(expected)
    },
  )

  test.each<TableOptions>([
    { table: 'products', interface: 'v3' },
    { table: 'product_photos', columns: ['photoType', 'interfaceVersion'] },
  ])('readRows gives products the version of its option: $table of $interface', async (table) => {
    const { given, expected } = await readBothWays('product', table)
    expect(given).toEqual(expected)
    expect(new Set(given.rows.map((row) => row['interface_version']))).toEqual(new Set([table.interface ?? null]))
  })

  test.each<TableOptions>([
    { table: 'product_photos', where: { photoType: 'packshot' }, locales: ['nl'] },
    { table: 'tags', each: 'photos[]', columns: ['id', { column: 'raw', from: 'formats', as: 'json' }] },
    {
      table: 'products',
      where: { status: 'active' },
      timezone: 'Europe/Brussels',
      columns: [
        'id',
        { column: 'title', from: 'name', locale: 'nl', fallback: 'spec' },
        { from: 'publicPrice', as: 'decimal(12,2)', unit: 'cents' },
        { column: 'changed', from: 'meta.updatedAt', as: 'date' },
        { column: 'short', from: 'cnk', as: 'integer' },
        { column: 'raw', from: '$', as: 'json' },
      ],
    },
  ])(
    'readRows gives the rows and rejects of the composed stages for table $table with options of its own',
    async (table) => {
      const { given, expected } = await readBothWays('v4/product', table)
      expect(given).toEqual(expected)
    },
  )

  test('readRows gives the rows and rejects of the composed stages in chunks of any size', async () => {
    const input = generate('v4/product', 12)
    const expected = await read('v4/product', { table: 'products' }, toTableStages, toChunks(input))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30_000 }), async (chunkBytes) => {
        const given = await read('v4/product', { table: 'products' }, toReadRows, toChunks(input, chunkBytes))
        expect(given).toEqual(expected)
      }),
      { numRuns: cases(20, 2) },
    )
  })
})

describe('readRows', () => {
  test('readRows gives the rows of a chunk before more of it comes', async () => {
    const rows = readRows(options)
    rows.write(Buffer.from('{"id":"M1"}\n{"id":"M2"}\n{"id":'))
    await wait(5)
    expect([rows.read(), rows.read(), rows.read()]).toEqual([{ id: 'M1' }, { id: 'M2' }, null])
    rows.end(Buffer.from('"M3"}'))
    await wait(5)
    expect(rows.read()).toEqual({ id: 'M3' })
  })

  test('readRows holds few rows of one large chunk that nobody takes, and gives them all in the end', async () => {
    const rows = readRows(options)
    const lines = Array.from({ length: 200_000 }, (_, id) => `{"id":"M${id}"}\n`)
    const reading = pipeline(Readable.from([Buffer.from(lines.join(''))], { objectMode: false }), rows)
    await wait(5)
    expect(rows.readableLength).toBeLessThanOrEqual(rows.readableHighWaterMark)
    let count = 0
    for await (const row of rows.items()) if (row['id'] === `M${count}`) count++
    expect(count).toBe(lines.length)
    await reading
  })

  test('readRows waits for onReject, whose lines are counted over all chunks', async () => {
    const events: string[] = []
    const onReject = async ({ line, byteOffset, id }: RejectedLine): Promise<void> => {
      await wait(2)
      events.push(`${line} ${byteOffset} ${id}`)
    }
    const input = `{"id":"M1"}\n${wrong}\n${wrong}{"id":"M2"}\n`
    await collect(toChunks(input, 20), readRows({ ...options, onReject }))
    expect(events).toEqual(['2 12 M9', `4 ${13 + wrong.length} M9`])
  })

  test('readRows ends with TOO_MANY_REJECTS at the first reject without onReject', async () => {
    await expect(collect(toChunks(`{"id":"M1"}\n${wrong}`), readRows(options))).rejects.toMatchObject({
      code: 'TOO_MANY_REJECTS',
      message: expect.stringMatching(/^line 2, id "M9", photos\[0\]\.displayOrder: .* there is no onReject/) as string,
    })
  })

  test('readRows ends with what onReject throws', async () => {
    const failing = readRows({ ...options, onReject: () => Promise.reject(new Error('disk full')) })
    await expect(collect(toChunks(wrong), failing)).rejects.toThrow('disk full')
  })

  test('readRows ends with SOURCE_ERROR_LINE at a line of an error, after the rows before it', async () => {
    const rows = readRows(options)
    const reading = pipeline(
      Readable.from(['{"id":"M1"}\n\n{"error":{"code":"internal"}}\n'], { objectMode: false }),
      rows,
    )
    const ended = reading.catch((error: unknown) => error)
    expect(await ended).toMatchObject({
      code: 'SOURCE_ERROR_LINE',
      message: expect.stringMatching(/^line 3: /) as string,
    })
  })

  test('readRows judges completeness after the last line, and lets an incomplete stream pass with completeness: report', async () => {
    const lines = [0, 1, 2].map((index) => `{"meta":{"total":3,"index":${index}},"result":{"id":"M${index}"}}\n`)
    const verdicts: Completeness[] = []
    const onEnd = (verdict: Completeness): void => void verdicts.push(verdict)
    await collect(toChunks(lines.join(''), 50), readRows({ ...options, onEnd }))
    const cut = (): Readable => toChunks(lines.toSpliced(1, 1).join(''))
    await expect(collect(cut(), readRows({ ...options, onEnd }))).rejects.toMatchObject({ code: 'SOURCE_INCOMPLETE' })
    expect(await collect(cut(), readRows({ ...options, onEnd, completeness: 'report' }))).toHaveLength(2)
    expect(verdicts.map(({ status }) => status)).toEqual(['proven', 'incomplete', 'incomplete'])
  })

  test('readRows rejects fields and values that the contract does not list, if it is told to', async () => {
    const issues: string[] = []
    const onReject = (reject: RejectedLine): void => void issues.push(...reject.issues.map(({ code }) => code))
    const policy = { unknownFields: 'reject', unknownValues: 'reject' } as const
    const input = '{"id":"M1","newField":1}\n{"id":"M2","status":"new"}\n{"id":"M3"}\n'
    expect(await collect(toChunks(input), readRows({ ...options, ...policy, onReject }))).toEqual([{ id: 'M3' }])
    expect(issues).toEqual(['unknown_field', 'unknown_value'])
  })

  test.each([10, 70_000])(
    'readRows rejects a line of %d bytes that is too long as the composed stages do',
    async (bytes) => {
      const input = `{"id":"${'a'.repeat(100_000)}"}\r\n{"id":"${'b'.repeat(50)}"}\n`
      const taken: RejectedLine[][] = []
      const collectRejects = (): ((reject: RejectedLine) => void) => {
        const rejects: RejectedLine[] = []
        taken.push(rejects)
        return (reject) => void rejects.push(reject)
      }
      const validated = validateRecords(contract, { onReject: collectRejects() })
      await collect(toChunks(input, 999), splitLines({ maxLineBytes: bytes }), parseRecords(), validated)
      await collect(toChunks(input, 999), readRows({ ...options, maxLineBytes: bytes, onReject: collectRejects() }))
      expect(taken[0]?.[0]).toMatchObject({ line: 1, rawTruncated: true })
      expect(taken[0]).toEqual(taken[1])
    },
  )

  test('readRows throws every problem of its options at once, and for a contract that is not of this library', () => {
    const columns = ['nmae', 'statsu']
    expect(() => readRows({ contract, table: 'products', columns })).toThrow(/nmae[^]*statsu/)
    expect(() => readRows({ ...options, contract: { ...contract } })).toThrow(
      expect.objectContaining({
        code: 'USAGE',
        message: expect.stringContaining('expected contract to be one of this package'),
      }),
    )
  })
})

interface Reading {
  readonly rows: readonly TableRow[]
  readonly rejects: readonly RejectedLine[]
  readonly drift: unknown
}

async function readBothWays(name: ContractName, table: TableOptions): Promise<Record<'given' | 'expected', Reading>> {
  const draw = createDraw(11)
  const lines = generate(name, 8).toString().split('\n').slice(0, -1)
  const damaged = Array.from({ length: cases(200, 15) }, () =>
    mutateLine(Buffer.from(lines[draw(lines.length)]!), draw),
  )
  // An error line would end both.
  const kept = damaged.filter((line) => !line.includes('"error"'))
  const input = Buffer.concat(
    [...lines.map((line) => Buffer.from(line)), ...kept].flatMap((line) => [line, Buffer.from('\n')]),
  )
  const given = await read(name, table, toReadRows, toChunks(input))
  expect(given.rows.length).toBeGreaterThan(0)
  expect(given.rejects.length).toBeGreaterThan(0)
  return { given, expected: await read(name, table, toTableStages, toChunks(input)) }
}

async function read(
  name: ContractName,
  table: TableOptions,
  toStages: typeof toReadRows,
  input: Readable,
): Promise<Reading> {
  const rejects: RejectedLine[] = []
  let drift: Drift | null = null
  const onDrift = (found: Drift): void => void (drift = found)
  const checks = table.locales === undefined ? { onDrift } : { onDrift, locales: table.locales }
  const rows = await collect<TableRow>(input, ...toStages(name, table, rejects, checks))
  return { rows, rejects, drift }
}

function generate(name: ContractName, records: number): Buffer {
  return Buffer.concat([...generateLines({ contract: name, records, seed: 3 })])
}
