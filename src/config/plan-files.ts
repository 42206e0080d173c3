import { dirname, isAbsolute, join, normalize, resolve, sep } from 'node:path'
import type { TablePlan } from '../records/table-plan.ts'
import { closest } from './did-you-mean.ts'
import { listChoices } from './list-choices.ts'
import type { CompletePipelineConfig, OutputConfig } from './pipeline-schema.ts'
import type { FileFormat, FilePlan } from './pipeline-plan.ts'
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
  const claims = new Map<string, string>()
  const claim = (template: string, table: string | null, what: string, path: Problem['path']): string => {
    const placed = place(fill(template, config.name, table, path, problems), outDir)
    const key = resolve(placed)
    const earlier = claims.get(key)
    if (earlier === undefined) claims.set(key, what)
    else
      problems.push(
        problemAt(
          path,
          `${what} and ${earlier} would both be "${placed}"${table === null ? '' : ': use {table} in the path'}`,
        ),
      )
    return placed
  }
  const files = config.outputs.flatMap((output, index) => {
    const path = ['outputs', index]
    problems.push(...checkTableNames(output, tables, [...path, 'tables']))
    return tables.flatMap(({ name }, table): FilePlan[] => {
      if (output.tables !== undefined && !output.tables.includes(name)) return []
      const placed = claim(output.path, name, `table "${name}" of output ${index + 1}`, [...path, 'path'])
      return [
        { table, path: placed, format: toFormat(output), gzip: output.format !== 'parquet' && placed.endsWith('.gz') },
      ]
    })
  })
  const beside = besideOf(config.outputs[0]?.path ?? '')
  const rejectsPath = claim(config.rejects.path ?? join(beside, '_rejects.ndjson'), null, 'the rejects file', [
    'rejects',
    'path',
  ])
  const manifestPath = claim(config.manifest.path ?? join(beside, '_manifest.json'), null, 'the manifest', [
    'manifest',
    'path',
  ])
  return { files, rejectsPath, manifestPath, problems }
}

function fill(
  template: string,
  pipeline: string,
  table: string | null,
  path: Problem['path'],
  problems: Problem[],
): string {
  const known = table === null ? ['pipeline'] : ['pipeline', 'table']
  return template.replaceAll(/\{(\w*)\}/g, (written, name: string) => {
    if (known.includes(name)) return name === 'table' ? (table ?? '') : pipeline
    const message = `unknown placeholder ${written}, expected ${known.map((each) => `{${each}}`).join(' or ')}`
    const suggestion = closest(name, known)
    if (!problems.some((problem) => problem.message === message))
      problems.push(problemAt(path, message, suggestion && `{${suggestion}}`))
    return written
  })
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
