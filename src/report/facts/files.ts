import { type FileReport, listDistinctFiles } from '../../manifest/manifest.ts'
import { countOf, formatCount } from '../../text/format-count.ts'

export interface FileCount {
  readonly count: number
  readonly bytes: number
}

/** The number and size of the files, overall and by format. A workbook counts once, however many tables it has. */
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

export function sumBytes(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0)
}

/** Such as `2 files of an earlier config: out/products/a.ndjson, out/products/b.ndjson`. */
export function describeLeft(files: readonly { readonly path: string }[]): string {
  const shown = files.slice(0, 3).map(({ path }) => path)
  const more = files.length > shown.length ? `, ${formatCount(files.length - shown.length)} more in the manifest` : ''
  return `${countOf(files.length, 'file')} of an earlier config: ${shown.join(', ')}${more}`
}
