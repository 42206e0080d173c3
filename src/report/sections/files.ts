import { countFiles } from '../facts/files.ts'
import { countOf, formatCount } from '../../text/format-count.ts'
import { formatBytes } from '../../text/format-size.ts'
import { html, type Html } from '../html.ts'
import { code, cutTo, fold, table } from '../parts.ts'
import type { ReportManifest } from '../report-manifest.ts'
import type { ReportContext, Section } from './section.ts'

export function renderFiles({ manifest, limits }: ReportContext): Section | null {
  const { files, databases = [], ownOutputs = [] } = manifest
  if (files.length + databases.length + ownOutputs.length === 0) return null
  const loaded = html`${databases.map(renderDatabase)}${ownOutputs.length > 0 && renderOwn(ownOutputs)}`
  const body = html`${files.length > 0 && renderFileList(files, limits.files)}${loaded}`
  const others = ownOutputs.length > 0 ? 'Files and other outputs' : 'Files and databases'
  return { id: 'files', title: databases.length + ownOutputs.length === 0 ? 'Files' : others, body }
}

function renderFileList(files: ReportManifest['files'], most: number): Html {
  const { formats } = countFiles(files)
  const { shown, rest } = cutTo(files, most, 'file')
  const rows = shown.map(({ path, rows: count, bytes, sha256 }) => [
    html`${code(path)}<small class="hash">${sha256}</small>`,
    formatCount(count),
    formatBytes(bytes),
  ])
  const list = table(
    'Saved files',
    [{ text: 'File, and its sha256' }, { text: 'Rows', isNumber: true }, { text: 'Size', isNumber: true }],
    rows,
  )
  const summary = formats
    .map(({ format, count, bytes }) => `${countOf(count, `${format} file`)} (${formatBytes(bytes)})`)
    .join(', ')
  return files.length <= mostUnfolded
    ? html`<p>${summary}</p>
        ${list}`
    : fold(summary, html`${list}${rest}`)
}

const mostUnfolded = 8

function renderOwn(outputs: NonNullable<ReportManifest['ownOutputs']>): Html {
  return table(
    'Outputs of the config',
    [{ text: 'Output of the config' }, { text: 'Table' }, { text: 'Rows', isNumber: true }],
    outputs.map(({ output, table: name, rows }) => [output, code(name), formatCount(rows)]),
  )
}

function renderDatabase({ target, mode, tables }: NonNullable<ReportManifest['databases']>[number]): Html {
  const isLake = tables.some(({ version }) => version !== undefined)
  const rows = tables.map(({ name, rowsWritten, version = 0 }) => [
    code(name),
    formatCount(rowsWritten),
    ...(isLake ? [String(version)] : []),
  ])
  const heads = [{ text: 'Table' }, { text: 'Rows written', isNumber: true }]
  if (isLake) heads.push({ text: 'Version', isNumber: true })
  return html`<h3>${target} <span class="tag">${mode}</span></h3>
    ${table(`Tables of ${target}`, heads, rows)}`
}
