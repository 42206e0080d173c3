import { Readable, Transform } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  contracts,
  parseRecords,
  splitLines,
  validateRecords,
  type RejectedLine,
  type ValidatedRecord,
  type ValidateRecordsOptions,
} from '../../src/streams.ts'
import { collect, toChunks } from './collect.ts'
import type { Drift } from '../../src/manifest/manifest.ts'

const contract = contracts['v4/product']
const good = '{"meta":{"total":3,"index":0},"result":{"id":"M1","cnk":1234,"newField":1}}\n'
const wrong = '{"meta":{"total":3,"index":1},"result":{"id":"M2","photos":[{"displayOrder":"first"}]}}\n'
const torn = '{"meta":{"total":3,"index":2},"result":{"id"\n'

describe('validateRecords', () => {
  test('validateRecords gives the record in its canonical form, with the text of its line and its place', async () => {
    const [item, ...others] = await validate(good)
    expect(others).toEqual([])
    expect(item).toMatchObject({ line: 1, index: 0, total: 3, contract })
    expect(item?.record).toEqual({ id: 'M1', cnk: '0001234', newField: 1 })
    expect(item?.text).toBe(good.trim())
  })

  test('validateRecords hands every line that does not meet the contract to onReject, and continues', async () => {
    const rejects: RejectedLine[] = []
    const items = await validate(`${wrong}\n${torn}${good}`, { onReject: (reject) => void rejects.push(reject) })
    expect(items.map(({ line }) => line)).toEqual([4])
    expect(rejects).toEqual([
      {
        line: 1,
        byteOffset: 0,
        index: 1,
        id: 'M2',
        issues: [
          {
            code: 'invalid_type',
            path: 'photos[0].displayOrder',
            message: 'expected a whole number of at most 64 bits, got text "first"',
          },
        ],
        raw: wrong.trim(),
      },
      {
        line: 3,
        byteOffset: wrong.length + 1,
        index: 2,
        id: null,
        issues: [
          {
            code: 'invalid_json',
            path: '',
            message: expect.stringContaining('expected one JSON object'),
            at: torn.trim().length,
          },
        ],
        raw: torn.trim(),
      },
    ])
  })

  test('validateRecords keeps the bytes of a reject that is no UTF-8, and the beginning of one that is too long', async () => {
    const rejects: RejectedLine[] = []
    const onReject = (reject: RejectedLine): void => void rejects.push(reject)
    const bytes = Buffer.from([0x7b, 0xff, 0x7d])
    await collect(toChunks(bytes), splitLines(), parseRecords(), validateRecords(contract, { onReject }))
    const long = toChunks(`{"id":"${'a'.repeat(100)}"}`)
    await collect(long, splitLines({ maxLineBytes: 9 }), parseRecords(), validateRecords(contract, { onReject }))
    expect(rejects).toMatchObject([{ rawBase64: bytes.toString('base64') }, { rawTruncated: true, rawBytes: 109 }])
  })

  test('validateRecords ends with TOO_MANY_REJECTS at the first reject without onReject', async () => {
    await expect(validate(good + wrong)).rejects.toMatchObject({
      code: 'TOO_MANY_REJECTS',
      message:
        'line 2, id "M2", photos[0].displayOrder: expected a whole number of at most 64 bits, got text "first" (invalid_type); there is no onReject that would take the line',
    })
    await expect(validate(good + torn)).rejects.toMatchObject({ code: 'TOO_MANY_REJECTS' })
  })

  test('validateRecords waits for onReject, in the order of the lines', async () => {
    const events: string[] = []
    const onReject = async ({ line }: RejectedLine): Promise<void> => {
      events.push(`line ${line} comes`)
      await wait(5)
      events.push(`line ${line} is kept`)
    }
    await validate(wrong + torn, { onReject })
    expect(events).toEqual(['line 1 comes', 'line 1 is kept', 'line 2 comes', 'line 2 is kept'])
  })

  test('validateRecords ends with the error that onReject throws or rejects with', async () => {
    const full = new Error('the disk is full')
    const throwing = (): never => {
      throw full
    }
    await expect(validate(wrong, { onReject: throwing })).rejects.toBe(full)
    await expect(validate(wrong, { onReject: () => Promise.reject(full) })).rejects.toBe(full)
  })

  test('validateRecords reports drift to onDrift at the end', async () => {
    const drifts: Drift[] = []
    const line = '{"id":"M1","status":"sleeping","name":{"nl":"a","de":"b","fr":"c"},"newField":1}\n'
    await validate(line + line, { locales: ['nl', 'fr'], onDrift: (drift) => void drifts.push(drift) })
    expect(drifts).toEqual([
      {
        unknownFields: { newField: 2 },
        unknownValues: { status: { sleeping: 2 } },
        otherLocales: { de: 2 },
        oddCodes: {},
        nullElements: {},
        invalidValues: {},
        duplicateKeys: {},
      },
    ])
  })

  test.each([true, false])(
    'validateRecords counts repeated keys, whether records are read or not: %s',
    async (looks) => {
      const drifts: Drift[] = []
      const lines = Array.from({ length: 300 }, (_, at) =>
        at % 3 === 0
          ? `{"meta":{"total":300,"index":${at}},"result":{"id":"M${at}","name":{"nl":"a","fr":"b","nl":"c"}}}\n`
          : `{"id":"M${at}","cnk":"1","new":{"a":{"b":1,"b":2}}${at % 3 === 1 ? ',"cnk":"2"' : ''}}\n`,
      )
      const look = new Transform({
        objectMode: true,
        transform(item: ValidatedRecord, _encoding, done) {
          if (looks) expect(item.record).not.toBeNull()
          done(null, item)
        },
      })
      const stages = [
        splitLines(),
        parseRecords(),
        validateRecords(contract, { onDrift: (drift) => void drifts.push(drift) }),
      ]
      expect(await collect(toChunks(lines.join('')), ...stages, look)).toHaveLength(300)
      expect(drifts).toMatchObject([{ duplicateKeys: { 'name.nl': 100, cnk: 100 }, unknownFields: { new: 200 } }])
    },
  )

  test('validateRecords rejects fields and values that the contract does not list, if it is told to', async () => {
    const codes: string[] = []
    const onReject = ({ issues }: RejectedLine): void => void codes.push(...issues.map(({ code }) => code))
    const line = '{"id":"M1","status":"sleeping","newField":1}\n'
    expect(await validate(line, { unknownFields: 'reject', unknownValues: 'reject', onReject })).toEqual([])
    expect(codes.toSorted()).toEqual(['unknown_field', 'unknown_value'])
  })

  test('validateRecords keeps every digit of numbers of the contract even if parseRecords does not', async () => {
    const lines = toChunks('{"id":"M1","publicPrice":9007199254740993}\n')
    const stages = [splitLines(), parseRecords({ exactNumbers: false }), validateRecords(contract)]
    const [item] = await collect<ValidatedRecord<typeof contract>>(lines, ...stages)
    expect(item?.record.publicPrice).toBe(9007199254740993n)
  })

  test('validateRecords refuses items that are no parsed records', async () => {
    const reading = collect(Readable.from([{ id: 'M1' }]), validateRecords(contract))
    await expect(reading).rejects.toThrow('validateRecords: expected the records that parseRecords gives')
  })
})

function validate(text: string, options: ValidateRecordsOptions = {}): Promise<ValidatedRecord<typeof contract>[]> {
  return collect(toChunks(text), splitLines(), parseRecords(), validateRecords(contract, options))
}
