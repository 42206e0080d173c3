import type { Collection } from '../collections/collection.ts'
import type { Selection } from '../collections/select-records.ts'

/** A body in parts that are made when they are sent: a head, records with something between them, a tail. */
export interface AnswerBody {
  readonly contentType: string
  readonly head: string
  readonly count: number
  /** The record at a position, as it is sent; a copy of its own. */
  readonly item: (position: number) => Buffer
  readonly between: string
  readonly tail: string
}

/** A line a record (specification: Conventions); `totalAt` tells the total that the line at a position gives. */
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

/** A JSON document: what the records are in, such as `{"results":[` and `]}`. */
export function toDocument(
  { readText }: Collection,
  { total, at }: Selection,
  { head, tail }: { readonly head: string; readonly tail: string },
): AnswerBody {
  return {
    contentType: jsonType,
    head,
    count: total,
    item: (position) => Buffer.from(readText(at(position))),
    between: ',',
    tail,
  }
}

const jsonType = 'application/json; charset=utf-8'

function toLine(total: number, index: number, record: Buffer): Buffer {
  const head = `{"meta":{"total":${total},"index":${index}},"result":`
  const line = Buffer.allocUnsafe(head.length + record.length + 2)
  line.write(head, 'latin1')
  record.copy(line, head.length)
  line.write('}\n', line.length - 2, 'latin1')
  return line
}
