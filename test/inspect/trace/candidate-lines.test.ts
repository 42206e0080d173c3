import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLines } from '../../../src/inspect/trace/find-lines.ts'
import { compileCandidates } from '../../../src/inspect/trace/candidate-lines.ts'
import { planPipeline } from '../../../src/plan/plan-pipeline.ts'
import { BlockCutter } from '../../../src/records/block.ts'
import { readIdEntries, toIdText } from '../../../src/records/id-entries.ts'
import { compileProcessing, type RecordPlan } from '../../../src/records/process-block.ts'
import { createFileSource } from '../../../src/sources/file-source.ts'
import { cases } from '../../depth.ts'

const plans = {
  text: planRecords('v4/product'),
  number: planRecords('v4/brand'),
}

function planRecords(contract: 'v4/product' | 'v4/brand'): RecordPlan {
  return planPipeline({ name: 'searched', source: { files: 'any.ndjson', contract } }, { env: {} }).records
}

async function find(id: string, text: string | Buffer, records: RecordPlan) {
  const { maxLineBytes } = records
  const source = createFileSource('-', Readable.from([Buffer.from(text)]), { format: 'ndjson', maxLineBytes })
  const signal = new AbortController().signal
  const { byId } = await findLines([id], { records, sources: [source] }, { pipeline: 'searched', signal })
  return (byId.get(id) ?? []).map(({ place }) => place.line)
}

/** The numbers of the lines whose record has the id, with every line parsed and validated. */
function listAll(id: string, text: string, records: RecordPlan): number[] {
  const process = compileProcessing({ ...records, where: [], tables: [] })
  const found: number[] = []
  let before = 0
  const cutter = new BlockCutter()
  for (const block of [...cutter.push(Buffer.from(text)), ...cutter.end()]) {
    const { ids, rejects, counts } = process(block)
    for (const { bytes, lineInBlock } of readIdEntries(ids))
      if (toIdText(bytes) === id) found.push(before + lineInBlock + 1)
    for (const { id: own, lineInBlock } of rejects) if (own === id) found.push(before + lineInBlock + 1)
    before += counts.lines
  }
  return found.toSorted((a, b) => a - b)
}

const hex = (code: number, upper: boolean) => {
  const digits = code.toString(16).padStart(4, '0')
  return String.raw`\u` + (upper ? digits.toUpperCase() : digits)
}

/** A JSON string in one of the many ways to write it. */
const spelled = (text: string, escapes: readonly number[]) =>
  `"${Array.from({ length: text.length }, (_, at) => {
    const how = escapes[at % escapes.length] ?? 0
    const character = text[at] ?? ''
    if (how === 1 || how === 2) return hex(text.charCodeAt(at), how === 2)
    if (how === 3 && character === '/') return String.raw`\/`
    return JSON.stringify(character).slice(1, -1)
  }).join('')}"`

const ids = fc.constantFrom('M1', 'M2', 'm1', '12', '1', 'a/b', 'q"q', 'b\\c', 'é', 'M 1', '😀', 'nl\n', '')
const escapes = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 3), { minLength: 1, maxLength: 4 })
const space = fc.constantFrom('', '', ' ', '\t')
const member = fc.tuple(escapes, space, space, ids, escapes, fc.constantFrom('id', 'id', 'cnk', 'status'))
const line = fc
  .tuple(fc.array(member, { maxLength: 4 }), fc.constantFrom('bare', 'enveloped', 'listed', 'broken'), escapes)
  .map(([members, form, how]) => {
    const written = members.map(
      ([key, before, after, id, value, name]) => `${spelled(name, key)}${before}:${after}${spelled(id, value)}`,
    )
    const record = `{${written.join(',')}}`
    if (form === 'bare') return record
    if (form === 'enveloped') return `{"meta":{"total":9,"index":1},${spelled('result', how)}:${record}}`
    return form === 'listed' ? `{"id":"other","photos":[${record}]}` : `${record}}`
  })
const number = fc.constantFrom('12', '12.0', '1.2e1', '120E-1', '1', '"12"', '-12', '0.12e2', '1e21', '12e0', '-0', '0')
const numberLine = fc
  .tuple(number, space, number, escapes)
  .map(([id, gap, other, how]) => `{"order":${other},${spelled('id', how)}${gap}:${gap}${id}}`)

describe('a search for an id, against a reading of every line', () => {
  test('finds ids however their text and keys are written', async () => {
    const property = fc.asyncProperty(fc.array(line, { maxLength: 12 }), ids, async (lines, id) => {
      const text = lines.join('\n')
      expect(await find(id, text, plans.text)).toEqual(listAll(id, text, plans.text))
    })
    await fc.assert(property, { numRuns: cases(1500, 300) })
  })

  test('finds ids that are numbers in any form', async () => {
    const wanted = fc.constantFrom('12', '12.0', '1', '-12', '0', '1e+21', '1000000000000000000000')
    const property = fc.asyncProperty(fc.array(numberLine, { maxLength: 12 }), wanted, async (lines, id) => {
      const text = lines.join('\n')
      expect(await find(id, text, plans.number)).toEqual(listAll(id, text, plans.number))
    })
    await fc.assert(property, { numRuns: cases(1500, 300) })
  })
})

describe('a search for an id', () => {
  test('parses only lines that may hold the record', () => {
    const lines = [
      '{"id":"M1","name":{"nl":"caf\\u00e9"}}',
      '{"id":"M2","\\u006d":1.5e3}',
      '{"id":"N"}',
      '{"id":"\\u004d1"}',
    ]
    const block = { bytes: Buffer.from(lines.join('\n')), byteOffset: 0, droppedBytes: 0, unterminated: true }
    const { candidates } = compileCandidates(['M1'])(block)
    expect(candidates.map(({ lineInBlock }) => lineInBlock)).toEqual([0, 3])
    const beyond = compileCandidates(['\u{e9}\u{1f600}'])({
      ...block,
      bytes: Buffer.from(String.raw`{"id":"a\"b"}${'\n'}{"id":"\u00E9\ud83d\ude00"}`),
    })
    expect(beyond.candidates.map(({ lineInBlock }) => lineInBlock)).toEqual([1])
  })

  test('numbers lines across blocks, including blank ones and a last one without line break', async () => {
    const filler = `{"id":"x","text":"${'.'.repeat(700_000)}"}`
    const lines = ['', filler, filler, '{"id":"M1"}', filler, '  ', '{"id":"M1"}']
    expect(await find('M1', lines.join('\n'), plans.text)).toEqual([4, 7])
  })
})
