export { encodeArrow } from './encode-arrow'
export { encodeCsv, setCsvDialect } from './encode-csv'
export { encodeNdjson } from './encode-ndjson'
