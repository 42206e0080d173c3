import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import {
  contracts,
  parseRecords,
  splitLines,
  trackCompleteness,
  validateRecords,
  type TrackCompletenessOptions,
} from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'
import type { Completeness } from '../../src/manifest/manifest.ts'

const lineOf = (index: number, total: number, id: unknown = `M${index}`): string =>
  `${JSON.stringify({ meta: { total, index }, result: { id } })}\n`

describe('trackCompleteness', () => {
  test('trackCompleteness proves a whole stream, rejected lines included', async () => {
    const lines = lineOf(0, 3) + lineOf(1, 3, []) + lineOf(2, 3)
    expect(await track(lines)).toEqual({ status: 'proven', reasons: [], total: 3 })
  })

  test('trackCompleteness ends with SOURCE_INCOMPLETE if a record is missing, after onEnd has the verdict', async () => {
    const verdicts: Completeness[] = []
    const reading = track(lineOf(0, 3) + lineOf(2, 3), { onEnd: (completeness) => void verdicts.push(completeness) })
    await expect(reading).rejects.toMatchObject({
      code: 'SOURCE_INCOMPLETE',
      message: 'expected every record of the stream once, got this: 1 record is missing, index 1',
    })
    expect(verdicts).toMatchObject([{ status: 'incomplete', total: 3 }])
  })

  test('trackCompleteness sees that the last line is cut', async () => {
    const cut = lineOf(0, 2) + lineOf(1, 2).slice(0, -9)
    expect(await track(cut, { completeness: 'report' })).toMatchObject({
      status: 'incomplete',
      reasons: ['the last line is cut off'],
    })
  })

  test("trackCompleteness lets a stream pass that can't be proven complete", async () => {
    expect(await track('{"id":"M1"}\n')).toMatchObject({ status: 'unprovable' })
    expect(await track('')).toMatchObject({ status: 'unprovable' })
  })

  test('trackCompleteness passes every record on as it is', async () => {
    const lines = `${lineOf(0, 2)}{\n${lineOf(1, 2)}`
    const untracked = await collect(toChunks(lines), splitLines(), parseRecords())
    const tracking = trackCompleteness({ completeness: 'report' })
    expect(await collect(toChunks(lines), splitLines(), parseRecords(), tracking)).toEqual(untracked)
  })

  test('trackCompleteness refuses the items of validateRecords, as rejects are missing from them', async () => {
    const validated = [{ record: { id: 'M1' }, index: 0, total: 1 }]
    await expect(collect(Readable.from(validated), trackCompleteness())).rejects.toThrow(
      'trackCompleteness: expected the records that parseRecords gives',
    )
  })
})

async function track(text: string, options: TrackCompletenessOptions = {}): Promise<Completeness | undefined> {
  let verdict: Completeness | undefined
  const onEnd = options.onEnd ?? ((completeness) => void (verdict = completeness))
  const validate = validateRecords(contracts['v4/product'], { onReject: () => undefined })
  await collect(toChunks(text), splitLines(), parseRecords(), trackCompleteness({ ...options, onEnd }), validate)
  return verdict
}
