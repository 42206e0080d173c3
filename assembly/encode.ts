export { encodeBatch } from './encode-batch'
export { encodeCsv, setCsvDialect } from './encode-csv'
export { encodeNdjson } from './encode-ndjson'
