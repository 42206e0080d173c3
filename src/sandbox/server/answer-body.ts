import type { Collection } from '../collections/collection.ts'
import type { Selection } from '../collections/select-records.ts'
import type { Wrapping } from '../dialect/answer-shapes.ts'
import type { AnswerFault } from './parse-fault.ts'
import { ServiceError } from './service-error.ts'

/** A body in parts that are created when sent: a head, records with a separator, a tail. */
export interface AnswerBody {
  readonly contentType: string
  readonly status?: number
  readonly head: string
  readonly count: number
  /** The record at a position as sent, in a buffer of its own. */
  readonly item: (position: number) => Buffer
  readonly between: string
  readonly tail: string
}

/** Formats a record per line (specification: Conventions). `totalAt` gives the total in the line at a position. */
export function toLines(
  { readText }: Collection,
  { total, at }: Selection,
  options: { readonly contentType: string; readonly totalAt: (position: number) => number },
): AnswerBody {
  const { contentType, totalAt } = options
  return {
    contentType,
    head: '',
    count: total,
    item: (position) => toLine(totalAt(position), position, readText(at(position))),
    between: '',
    tail: '',
  }
}

/** Formats a JSON document, with the records between a head and a tail such as `{"results":[` and `]}`. */
export function toDocument(
  { readText }: Collection,
  { total, at }: Selection,
  { head, tail, contentType }: Wrapping & { readonly contentType: string },
): AnswerBody {
  return {
    contentType,
    head,
    count: total,
    item: (position) => Buffer.from(readText(at(position))),
    between: ',',
    tail,
  }
}

export const jsonType = 'application/json; charset=utf-8'

function toLine(total: number, index: number, record: Buffer): Buffer {
  const head = `{"meta":{"total":${total},"index":${index}},"result":`
  const line = Buffer.allocUnsafe(head.length + record.length + 2)
  line.write(head, 'latin1')
  record.copy(line, head.length)
  line.write('}\n', line.length - 2, 'latin1')
  return line
}

export type BodyEnd = 'complete' | 'cut' | 'reset' | 'stall'

/** Yields the bytes of a body, changed by the fault. Calls `onRecord` for each record. */
export function* toPieces(
  body: AnswerBody,
  fault: AnswerFault,
  onRecord: () => void,
): Generator<Buffer, BodyEnd, undefined> {
  const { end, gap, repeat, malformed } = fault
  const between = Buffer.from(body.between)
  yield Buffer.from(body.head)
  let isFirst = true
  for (let position = 0; position <= body.count; position++) {
    if (end !== undefined && position === Math.floor(end.after)) {
      const rest = toLast(body, position, end)
      if (rest.length > 0 && !isFirst) yield between
      yield rest
      if (end.how === 'error-line' || end.how === 'short') break
      return end.how
    }
    if (position === body.count || position === gap) continue
    if (!isFirst) yield between
    isFirst = false
    const item = body.item(position)
    onRecord()
    yield position === malformed ? toMalformed(item) : item
    if (position === repeat) {
      yield between
      yield item
    }
  }
  yield Buffer.from(body.tail)
  return 'complete'
}

function toLast(body: AnswerBody, position: number, { how, after }: NonNullable<AnswerFault['end']>): Buffer {
  if (how === 'error-line') return toErrorItem(body)
  if (position === body.count) return Buffer.alloc(0)
  const item = body.item(position)
  return item.subarray(0, Math.floor(item.length * (after % 1)))
}

/** The first half, and the line break if it is a line. */
function toMalformed(item: Buffer): Buffer {
  const half = item.subarray(0, item.length >> 1)
  return item.at(-1) === lineBreak ? Buffer.concat([half, Buffer.of(lineBreak)]) : half
}

function toErrorItem({ between }: AnswerBody): Buffer {
  const error = JSON.stringify(new ServiceError(500, 'The stream failed').toBody())
  return Buffer.from(between === '' ? `${error}\n` : error)
}

const lineBreak = 0x0a
