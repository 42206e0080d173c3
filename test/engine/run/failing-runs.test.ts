import { mkdir, rm, symlink } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runPlan, type RunOptions } from '../../../src/engine/run/run-pipeline.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { forcedWorkers } from '../../forced-workers.ts'
import type { Manifest } from '../../../src/manifest/manifest.ts'
import { RunFolder, toStream } from '../run-folder.ts'

let folder: RunFolder
type Changes = Parameters<RunFolder['run']>[0]

beforeEach(async () => {
  folder = await RunFolder.create()
})
afterEach(() => folder.remove())

const manyLines = toStream(Array.from({ length: 20_000 }, (_, index) => `M${index}`))
const manyRecords = `[${Array.from({ length: 40_000 }, (_, index) => `{"id":"M${index}","status":"active"}`).join(',')}]`
const repeated = manyRecords.replace('"M1"', '"M0"')
const formats = ['csv', 'parquet'] as const
const outputs = formats.map((format) => ({ format, path: `out/{table}.${format}` }))

/** True if a run fails for what it has read to the end. */
function hasPage(code: string): boolean {
  return ['TOO_MANY_REJECTS', 'SOURCE_INCOMPLETE'].includes(code)
}

describe('a run that fails', () => {
  interface Failure {
    readonly name: string
    readonly input: string | Uint8Array
    readonly code: string
    readonly exitCode: number
    readonly changes?: Changes
    readonly keepsRejects?: true
  }
  const failures: Failure[] = [
    { name: 'too many rejects', input: 'garbage\n', code: 'TOO_MANY_REJECTS', exitCode: 3, keepsRejects: true },
    { name: 'a gap', input: toStream(['A', 'B'], 3), code: 'SOURCE_INCOMPLETE', exitCode: 4 },
    {
      name: 'a gap and rejects',
      input: `${toStream(['A'], 3)}garbage\n`,
      code: 'SOURCE_INCOMPLETE',
      exitCode: 4,
      changes: { rejects: { limit: 9 } },
      keepsRejects: true,
    },
    {
      name: 'an error line',
      input: `garbage\n${toStream(['A'], 3)}{"error":{"status":500}}\n`,
      code: 'SOURCE_ERROR_LINE',
      exitCode: 4,
      keepsRejects: true,
    },
    {
      name: 'an error line after a whole block',
      input: `garbage\n${manyLines}{"error":"boom"}\n`,
      code: 'SOURCE_ERROR_LINE',
      exitCode: 4,
      keepsRejects: true,
    },
    {
      name: 'gzip that is cut after a whole block',
      input: gzipSync(`garbage\n${manyLines}`).subarray(0, -100),
      code: 'SOURCE_FAILED',
      exitCode: 4,
      keepsRejects: true,
    },
    { name: 'a document that is cut', input: manyRecords.slice(0, -1), code: 'SOURCE_FAILED', exitCode: 4 },
    {
      name: 'a document that is cut, if an id could come twice',
      input: manyRecords.slice(0, -1),
      code: 'SOURCE_FAILED',
      exitCode: 4,
      changes: { duplicates: 'last' },
    },
    {
      name: 'a missing source',
      input: '',
      code: 'SOURCE_NOT_FOUND',
      exitCode: 4,
      changes: { source: { files: 'none.ndjson' } },
    },
    {
      name: 'a config with problems',
      input: '',
      code: 'CONFIG_INVALID',
      exitCode: 2,
      changes: { locales: ['xx'] },
    },
  ]

  test.each(failures)(
    'a failed run leaves the earlier outputs unchanged and no other file: $name: $code',
    async ({ input, code, exitCode, changes = {}, keepsRejects = false }) => {
      await folder.write('input.ndjson', toStream(['OLD']))
      await folder.run({ outputs })
      const before = await folder.snapshot()
      await folder.write('input.ndjson', input)
      const error = await folder.fail({ outputs, ...changes })
      expect(error).toMatchObject({ code, exitCode })
      const { '_rejects.ndjson': rejects, ...after } = await folder.snapshot()
      const { '_rejects.ndjson': rejectsBefore, ...expected } = before
      expect(after).toEqual(expected)
      const unchanged = 'Nothing was saved; the earlier outputs are as they were.'
      const kept = keepsRejects ? ` The rejects so far are in ${folder.out}/_rejects.ndjson.` : ''
      const page = hasPage(code) ? ` The page of this run is ${folder.out}/_report.failed.html.` : ''
      const raw = rejects === rejectsBefore ? null : JSON.parse(await folder.readOut('_rejects.ndjson')).raw
      expect(raw).toBe(keepsRejects ? 'garbage' : null)
      expect(error?.outputs).toBe(code === 'CONFIG_INVALID' ? undefined : unchanged + kept + page)
    },
  )

  test.each(failures)('a failed run leaves no file if there was none: $name', async (failure) => {
    await folder.write('input.ndjson', failure.input)
    expect(await folder.fail(failure.changes)).toMatchObject({ code: failure.code })
    const left = await folder.listOut()
    expect(left).toEqual([
      ...(failure.keepsRejects ? ['_rejects.ndjson'] : []),
      ...(hasPage(failure.code) ? ['_report.failed.html'] : []),
    ])
  })

  test('the run after a failed one publishes as if that had not happened', async () => {
    await folder.write('input.ndjson', 'garbage\n')
    await folder.fail({ outputs })
    await folder.write('input.ndjson', toStream(['NEW']))
    await folder.run({ outputs })
    expect(await folder.readOut('products.csv')).toBe('id,status\nNEW,active\n')
    expect(await folder.readOut('_rejects.ndjson')).toBe('')
  })
})

describe('an output that cannot be written', () => {
  test.each(['products.csv', 'products.parquet', '_rejects.ndjson', '_manifest.json'])(
    'an output cannot be written if a folder has its name: %s',
    async (name) => {
      await folder.write('input.ndjson', toStream(['OLD']))
      await folder.run({ outputs })
      await rm(join(folder.out, name))
      await mkdir(join(folder.out, name))
      const before = await folder.snapshot()
      await folder.write('input.ndjson', toStream(['NEW']))
      const error = await folder.fail({ outputs })
      expect(error).toMatchObject({ code: 'OUTPUT_REFUSED', exitCode: 2 })
      expect(error?.message).toContain(`${folder.out}/${name}`)
      expect(await folder.snapshot()).toEqual(before)
    },
  )

  test('an output cannot be written if its folder is a file', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    await folder.write('out', 'a file')
    expect(await folder.fail()).toMatchObject({ code: 'OUTPUT_REFUSED', exitCode: 2 })
  })

  test('a folder in place of the manifest is found before anything is read', async () => {
    await folder.write('input.ndjson', `garbage\n${toStream(['A'])}`)
    await mkdir(join(folder.out, '_manifest.json'), { recursive: true })
    expect(await folder.fail({ rejects: { limit: 1 } })).toMatchObject({ code: 'OUTPUT_REFUSED', exitCode: 2 })
    expect(await folder.listOut()).toEqual(['_manifest.json'])
  })
})

describe('a source that is an output is refused, before anything is read', () => {
  test.each([
    ['the same path', 'products.csv', 'out/products.csv'],
    ['the rejects of the run before', '_rejects.ndjson', 'out/_rejects.ndjson'],
    ['the manifest', '_manifest.json', 'out/_manifest.json'],
    ['the profile', '_profile.json', 'out/_profile.json'],
    ['the page of the run', '_report.html', 'out/_report.html'],
    ['the identifiers that brought nothing', '_missing.csv', 'out/_missing.csv'],
    ['another spelling', 'products.csv', 'out/../out/./products.csv'],
    ['a pattern', 'products.csv', 'out/*.csv'],
    ['a link', 'products.csv', 'link.csv'],
    ['a link to the folder', 'products.csv', 'linked/products.csv'],
  ])('a source that is an output is refused, before anything is read: %s', async (_, name, file) => {
    await folder.write(`out/${name}`, toStream(['A']))
    await symlink(join(folder.out, 'products.csv'), join(folder.path, 'link.csv'))
    await symlink(folder.out, join(folder.path, 'linked'))
    const before = await folder.snapshot()
    const error = await folder.fail({ source: { files: `${folder.path}/${file}` } })
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', exitCode: 2 })
    expect(error?.message).toMatch(/^products: expected sources and outputs apart, got ".*" as both$/)
    expect(await folder.snapshot()).toEqual(before)
  })
})

describe('an abort of a run', () => {
  interface Interruption {
    readonly name: string
    readonly input: string | Uint8Array
    readonly changes?: Changes
    readonly afterBlocks: number
  }
  const interruptions: Interruption[] = [
    { name: 'lines', input: manyLines, afterBlocks: 1 },
    { name: 'lines, in the last block', input: toStream(['A']), afterBlocks: 1 },
    { name: 'gzip', input: gzipSync(manyLines), afterBlocks: 1 },
    { name: 'a document', input: manyRecords, afterBlocks: 1 },
    {
      name: 'a document, in the last of its readings',
      input: repeated,
      afterBlocks: 1,
      changes: { duplicates: 'last' },
    },
  ]

  test.each(interruptions)(
    'an abort ends the run with INTERRUPTED, and leaves nothing: $name',
    async ({ input, changes = {}, afterBlocks }) => {
      await folder.write('input.ndjson', toStream(['OLD']))
      await folder.run({ outputs })
      const before = await folder.snapshot()
      await folder.write('input.ndjson', input)
      const controller = new AbortController()
      let blocks = 0
      const onProgress = () => {
        if (++blocks === afterBlocks) controller.abort()
      }
      const error = await folder.fail({ outputs, ...changes }, { signal: controller.signal, onProgress })
      expect(error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
      expect(await folder.snapshot()).toEqual(before)
    },
  )

  test.each([0, 1, 5, 20])('an abort after %i ms ends the run with INTERRUPTED, whatever is read', async (delayMs) => {
    for (const input of [manyLines, manyRecords, gzipSync(manyLines)]) {
      await folder.write('input.ndjson', input)
      const signal = abortAfter(delayMs)
      const error = await folder.fail({ duplicates: 'last' }, { signal })
      expect(error).toMatchObject({ code: 'INTERRUPTED' })
      expect(await folder.listOut()).toEqual([])
    }
  })

  test('an abort before the run begins ends it with INTERRUPTED', async () => {
    await folder.write('input.ndjson', toStream(['A']))
    expect(await folder.fail({}, { signal: AbortSignal.abort() })).toMatchObject({ code: 'INTERRUPTED' })
    expect(await folder.listOut()).toEqual([])
  })

  test.each(['keep', 'last'] as const)(
    'an abort while standard input gives nothing ends the run, with duplicates: %s',
    async (duplicates) => {
      const stdin = new PassThrough()
      stdin.write('{"id":"A"}\n')
      const options: RunOptions = { stdin, signal: abortAfter(50) }
      const error = await folder.fail({ duplicates, source: { files: '-' } }, options)
      expect(error).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
      expect(await folder.listOut()).toEqual([])
    },
  )

  test('an aborted run keeps the rejects so far', async () => {
    await folder.write('input.ndjson', `garbage\n${manyLines}`)
    const controller = new AbortController()
    const options = { signal: controller.signal, onProgress: () => controller.abort() }
    expect(await folder.fail({}, options)).toMatchObject({ code: 'INTERRUPTED' })
    expect(await folder.listOut()).toEqual(['_rejects.ndjson'])
  })
})

describe('standard input that fails', () => {
  test.each(['keep', 'last'] as const)(
    'standard input that fails is SOURCE_FAILED and leaves no copy, with duplicates: %s',
    async (duplicates) => {
      const stdin = Readable.from(
        (function* () {
          yield Buffer.from(manyLines)
          throw new Error('connection reset')
        })(),
      )
      const error = await folder.fail({ duplicates, source: { files: '-' } }, { stdin })
      expect(error).toMatchObject({
        code: 'SOURCE_FAILED',
        exitCode: 4,
        message: '<stdin>: the read failed: connection reset',
      })
      expect(await folder.listOut()).toEqual([])
    },
  )
})

describe('a source that changes between its readings', () => {
  test.each([
    ['other bytes', toStream(['A', 'C', 'B'])],
    ['more lines', toStream(['A', 'B', 'B', 'A'])],
    ['fewer lines', toStream(['A'])],
    ['nothing', ''],
  ])('a source with repeated ids that changes between its readings fails: %s', async (_, content) => {
    const path = await folder.write('input.ndjson', toStream(['A', 'B', 'B']))
    const changes: Changes = { duplicates: 'last', completeness: 'report' }
    const signal = whenRead(3, () => writeFileSync(path, content))
    await expect(runWith(signal, changes)).rejects.toMatchObject({
      code: 'SOURCE_CHANGED',
      exitCode: 4,
      message: 'products: expected the same bytes in all readings that duplicates: last takes, got others',
    })
    expect(await folder.listOut()).toEqual([])
  })

  test('a source with repeated ids is published if its readings have the same bytes', async () => {
    const lines = toStream(['A', 'B', 'B'])
    const path = await folder.write('input.ndjson', lines)
    const signal = whenRead(3, () => writeFileSync(path, lines))
    await runWith(signal, { duplicates: 'last' })
    expect(await folder.readOut('products.csv')).toBe('id,status\nA,active\nB,active\n')
  })

  test.each(['keep', 'last', 'reject'] as const)(
    'a source without repeated ids is read once, with duplicates: %s',
    async (duplicates) => {
      const path = await folder.write('input.ndjson', toStream(['A', 'B']))
      const signal = whenRead(2, () => writeFileSync(path, ''))
      const { stages } = await runWith(signal, { duplicates })
      expect(await folder.readOut('products.csv')).toBe('id,status\nA,active\nB,active\n')
      expect(stages.map(({ name }) => name)).not.toContain('find duplicates')
    },
  )
})

function abortAfter(delayMs: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), delayMs)
  return controller.signal
}

/** A run that listens to this very signal; `runPipeline` listens to one of its own. */
function runWith(signal: AbortSignal, changes: Changes): Promise<Manifest> {
  return runPlan(planPipeline(folder.toPipeline(changes), { outDir: folder.out }), { signal, env: forcedWorkers })
}

/** A signal that acts as soon as the file is opened for this time: each reading listens to it once. */
function whenRead(times: number, act: () => void): AbortSignal {
  const { signal } = new AbortController()
  const listen = signal.addEventListener.bind(signal) as (...listener: unknown[]) => void
  let readings = 0
  signal.addEventListener = (...listener: unknown[]) => {
    if (++readings === times) act()
    listen(...listener)
  }
  return signal
}
