import { type RecordBatch, RecordBatchReader, RecordBatchStreamWriter } from 'apache-arrow'

/** A stream parted into streams: the first of `firstRows` rows, the others of `rows`, the last of what is left. */
export function splitArrowStream(bytes: Uint8Array, firstRows: number, rows: number): Uint8Array<ArrayBuffer>[] {
  return [...RecordBatchReader.from(bytes)].flatMap((batch) => {
    const slices = [batch.slice(0, firstRows)]
    for (let start = firstRows; start < batch.numRows; start += rows) slices.push(batch.slice(start, start + rows))
    return slices.map(formatBatch)
  })
}

function formatBatch(batch: RecordBatch): Uint8Array<ArrayBuffer> {
  const writer = new RecordBatchStreamWriter()
  writer.write(batch)
  return writer.finish().toUint8Array(true) as Uint8Array<ArrayBuffer>
}
