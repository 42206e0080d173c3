import type { OutputConfig } from '../../config/schemas/output-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'

/** The format that each extension promises to readers; other extensions promise none. */
const formats: Readonly<Record<string, OutputConfig['format'] | 'json'>> = {
  csv: 'csv',
  tsv: 'csv',
  parquet: 'parquet',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
  xlsx: 'xlsx',
  xls: 'xlsx',
  duckdb: 'duckdb',
}

export function checkExtension(
  { format, path: written }: { readonly format: OutputConfig['format']; readonly path: string },
  path: Problem['path'],
): Problem[] {
  const extension = /\.(?<extension>\w+)(?:\.gz)?$/.exec(written)?.groups?.['extension']?.toLowerCase() ?? ''
  const promised = formats[extension]
  if (promised === undefined || promised === format || (promised === 'json' && format === 'ndjson')) return []
  const other = promised === 'json' ? '' : `, or format: ${promised}`
  return [
    problemAt(path, `path: expected a name that ends in .${format} for format: ${format}${other}, got "${written}"`),
  ]
}
