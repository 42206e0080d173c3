export { encodeBatch } from './encode-batch'
export { encodeCopy } from './encode-copy'
export { encodeCsv, setCsvDialect } from './encode-csv'
export { encodeNdjson } from './encode-ndjson'
