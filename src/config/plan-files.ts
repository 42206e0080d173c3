import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import type { TablePlan } from '../records/table-plan.ts'
import { checkDialect } from './check-dialect.ts'
import { closest } from '../did-you-mean.ts'
import { listChoices } from './list-choices.ts'
import type { CompletePipelineConfig, OutputConfig } from './pipeline-schema.ts'
import type { FileFormat, FilePlan } from './pipeline-plan.ts'
import { PathClaims } from './path-claims.ts'
import { problemAt, type Problem } from './problem.ts'

type FilesConfig = Pick<CompletePipelineConfig, 'name' | 'outputs' | 'rejects' | 'manifest'>

export interface PlannedFiles {
  readonly files: readonly FilePlan[]
  readonly rejectsPath: string
  readonly manifestPath: string
  readonly problems: readonly Problem[]
}

/** Every file of a run, with the paths that collide. `outDir` takes the place of a leading `out/`. */
export function planFiles(
  config: FilesConfig,
  tables: readonly Pick<TablePlan, 'name'>[],
  outDir: string | undefined,
): PlannedFiles {
  const problems: Problem[] = []
  const claims = new PathClaims()
  const files = config.outputs.flatMap((output, index) => {
    const path = ['outputs', index, 'path']
    problems.push(
      ...checkTableNames(output, tables, ['outputs', index, 'tables']),
      ...checkDialect(output, ['outputs', index]),
    )
    const isSound = checkPath(output.path, ['pipeline', 'table'], output.format !== 'parquet', path, problems)
    return tables.flatMap(({ name }, table): FilePlan[] => {
      if (output.tables !== undefined && !output.tables.includes(name)) return []
      const placed = place(fill(output.path, { pipeline: config.name, table: name }), outDir)
      if (isSound) claims.add({ file: placed, what: `the ${output.format} output of table "${name}"`, path })
      const gzip = output.format !== 'parquet' && placed.endsWith('.gz')
      return [{ table, path: placed, format: toFormat(output), gzip }]
    })
  })
  const beside = besideOf(config.outputs[0]?.path ?? '')
  const [rejectsPath = '', manifestPath = ''] = (['rejects', 'manifest'] as const).map((key) => {
    const path = [key, 'path']
    const written = config[key].path
    const isSound = written === undefined || checkPath(written, ['pipeline'], false, path, problems)
    const placed = place(fill(written ?? join(beside, `_${key}${extensions[key]}`), { pipeline: config.name }), outDir)
    if (isSound) claims.add({ file: placed, what: key === 'rejects' ? 'the rejects file' : 'the manifest', path })
    return placed
  })
  problems.push(...claims.problems)
  return { files, rejectsPath, manifestPath, problems }
}

const extensions = { rejects: '.ndjson', manifest: '.json' } as const

/** Whether a path as it is written can be a file's. */
function checkPath(
  template: string,
  placeholders: readonly string[],
  canCompress: boolean,
  path: Problem['path'],
  problems: Problem[],
): boolean {
  const unknown = [...new Set([...template.matchAll(/\{(\w*)\}/g)].map(([, name = '']) => name))].filter(
    (name) => !placeholders.includes(name),
  )
  for (const name of unknown) {
    const known = placeholders.map((each) => `{${each}}`).join(' or ')
    const suggestion = closest(name, placeholders)
    const message = `unknown placeholder {${name}}, expected ${known}`
    problems.push(problemAt(path, message, suggestion && `{${suggestion}}`))
  }
  const isFolder = /(?:^|[/\\])\.{0,2}$/.test(template)
  if (isFolder) problems.push(problemAt(path, `expected the path of a file, got "${template}", a folder`))
  const isWronglyGzip = !canCompress && template.endsWith('.gz')
  if (isWronglyGzip) {
    const message = `expected a name without .gz, as only CSV and NDJSON outputs are compressed by name, got "${template}"`
    problems.push(problemAt(path, message))
  }
  return unknown.length === 0 && !isFolder && !isWronglyGzip
}

function fill(template: string, names: { readonly pipeline: string; readonly table?: string }): string {
  return template.replaceAll(/\{(pipeline|table)\}/g, (written, name: 'pipeline' | 'table') => names[name] ?? written)
}

function place(path: string, outDir: string | undefined): string {
  if (outDir === undefined || isAbsolute(path)) return path
  const parts = normalize(path).split(sep)
  return join(outDir, ...(parts[0] === 'out' ? parts.slice(1) : parts))
}

/** The folder of the first output, up to where its path depends on the table. */
function besideOf(template: string): string {
  const at = template.indexOf('{table}')
  const fixed = at < 0 ? template : template.slice(0, at)
  return fixed.endsWith('/') ? fixed : dirname(fixed)
}

function checkTableNames(
  output: OutputConfig,
  tables: readonly Pick<TablePlan, 'name'>[],
  path: Problem['path'],
): Problem[] {
  const known = tables.map(({ name }) => name)
  return (output.tables ?? []).flatMap((name, index) => {
    if (known.includes(name)) return []
    const message = `unknown table "${name}", expected one of ${listChoices(known)}`
    return [problemAt([...path, index], message, closest(name, known))]
  })
}

function toFormat(output: OutputConfig): FileFormat {
  switch (output.format) {
    case 'parquet':
      return { format: 'parquet', compression: output.compression, rowGroupRows: output.rowGroupRows }
    case 'ndjson':
      return { format: 'ndjson' }
    case 'csv': {
      const { delimiter, quote, quoteAll, bom, lineBreak, escapeFormulas, header, listSeparator } = output
      const dialect = { delimiter, quote, quoteAll, bom, lineBreak, escapeFormulas, header, listSeparator }
      return { format: 'csv', dialect }
    }
  }
}
