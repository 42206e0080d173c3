import { type FileReport, listDistinctFiles } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface FileCount {
  readonly count: number
  readonly bytes: number
}

/** The files in all and by format. A workbook is one file, whatever the number of its tables. */
export function countFiles(
  files: readonly Pick<FileReport, 'path' | 'format' | 'bytes'>[],
): FileCount & { readonly formats: readonly (FileCount & Pick<FileReport, 'format'>)[] } {
  const distinct = listDistinctFiles(files)
  const formats = [...new Set(files.map(({ format }) => format))].map((format) => {
    return { format, ...sum(distinct.filter((file) => file.format === format)) }
  })
  return { ...sum(distinct), formats }
}

function sum(files: readonly { readonly bytes: number }[]): FileCount {
  return { count: files.length, bytes: sumBytes(files) }
}

/** The bytes of files or sources together. */
export function sumBytes(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0)
}

/** `2 files of an earlier config: out/products/a.ndjson, out/products/b.ndjson` */
export function describeLeft(files: readonly { readonly path: string }[]): string {
  const shown = files.slice(0, 3).map(({ path }) => path)
  const more = files.length > shown.length ? `, ${formatCount(files.length - shown.length)} more in the manifest` : ''
  return `${countOf(files.length, 'file')} of an earlier config: ${shown.join(', ')}${more}`
}
