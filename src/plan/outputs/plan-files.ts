import { dirname, normalize, sep } from 'node:path'
import { listChoices, closest } from '../../text/choices.ts'
import {
  type DatabaseOutputConfig,
  type FileOutputConfig,
  isDatabase,
  isLake,
  type OutputConfig,
  type ServerOutputConfig,
} from '../../config/schemas/output-schema.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { type Problem, problemAt } from '../../config/problem.ts'
import { checkObjectPath, isObjectPath } from '../../storage/s3/object-path.ts'
import type { TablePlan } from '../../records/flatten/table-plan.ts'
import { isOfHistory } from '../builtin/check-periods.ts'
import { checkExtension } from './check-extension.ts'
import { checkDialect } from './check-dialect.ts'
import { checkLabels } from './check-labels.ts'
import { checkMode, toMode } from './output-mode.ts'
import type { FileFormat } from '../../formats/file-format.ts'
import { type DatabasePlan, lakeStateName } from './database-plan.ts'
import type { FilePlan } from './file-plan.ts'
import { toCompanionPath, toDataPackagePath, toPathBelow } from './companion-path.ts'
import { PathClaims } from './path-claims.ts'
import type { OwnOutputPlan } from './own-output-plan.ts'
import { checkOwn, planOwn } from './plan-own.ts'
import { checkDatabase, checkDatabasesApart, checkFeed, checkLakePath, toDatabase } from './plan-database.ts'
import { checkSharing, toSharing } from './plan-sharing.ts'
import { checkWorkbook } from './check-workbook.ts'
import { isAbsolutePath, joinPath, storageOf } from '../../storage/paths.ts'

type FilesConfig = Pick<
  CompletePipelineConfig,
  'name' | 'outputs' | 'rejects' | 'manifest' | 'profile' | 'report' | 'runs' | 'dataPackage' | 'lineage'
>

export interface FilesContext {
  readonly tables: readonly Pick<TablePlan, 'name' | 'each' | 'columns' | 'builtin'>[]
  readonly outDir: string | undefined
  readonly isIncremental: boolean
  /** Whether the address of the output at this index is a variable that is not set, and need not be. */
  readonly isUnset: (output: number) => boolean
}

export interface PlannedFiles {
  readonly files: readonly FilePlan[]
  readonly databases: readonly DatabasePlan[]
  readonly own: readonly OwnOutputPlan[]
  readonly rejectsPath: string
  readonly manifestPath: string
  readonly profilePath: string | null
  readonly reportPath: string | null
  readonly runsPath: string | null
  readonly dataPackagePath: string | null
  readonly lineagePath: string | null
  readonly problems: readonly Problem[]
}

export function planFiles(config: FilesConfig, context: FilesContext): PlannedFiles {
  const { tables, outDir, isIncremental, isUnset } = context
  const problems: Problem[] = []
  const claims = new PathClaims()
  const files: FilePlan[] = []
  const placedFiles: { file: string; path: Problem['path'] }[] = []
  const databases: { plan: DatabasePlan; path: Problem['path'] }[] = []
  const ownOutputs: OwnOutputPlan[] = []
  for (const [index, output] of config.outputs.entries()) {
    const at = ['outputs', index]
    const path = [...at, 'path']
    const own = tables.flatMap(({ name }, table) => (output.tables?.includes(name) === false ? [] : [table]))
    const ownTables = own.flatMap((table) => tables[table] ?? [])
    problems.push(...checkTableNames(output, tables, [...at, 'tables']))
    if (output.format === 'own') {
      problems.push(...checkOwn(output, config.outputs.slice(0, index), ownTables, at))
      const planned = planOwn(output, own)
      if (planned !== null) ownOutputs.push(planned)
      continue
    }
    if (output.format !== 'xlsx') problems.push(...checkMode(output, { tables: ownTables, isIncremental, path: at }))
    if (isDatabase(output)) {
      const isAsWritten = isUnset(index)
      problems.push(...checkDatabase(output, isAsWritten, at))
      const file = 'url' in output ? '' : placeDatabase(output, { pipeline: config.name, outDir })
      if (output.format === 'duckdb') {
        const isSound = checkPath(output.path, ['pipeline'], false, path, problems)
        if (isObjectPath(file)) problems.push({ path, message: `expected a file on this machine, got ${file}` })
        problems.push(...checkExtension(output, path))
        if (isSound) claims.add({ file, what: 'the duckdb output', path, sharedAs: 'duckdb' })
      } else if (isLake(output)) {
        const { path: folder = defaultLakePath } = output
        const wrong = checkLakePath(folder, path)
        const isSound = checkPath(folder, ['pipeline', 'table'], false, path, problems) && wrong.length === 0
        problems.push(...wrong, ...checkExtension({ ...output, path: folder }, path))
        problems.push(...checkFeed(output, ownTables, at))
        for (const { name } of isSound ? [...ownTables, { name: lakeStateName(config.name) }] : [])
          claims.add({ file: fill(file, { pipeline: config.name, table: name }), what: describeLake(name), path })
      }
      databases.push({ plan: toDatabase(output, { isIncremental, tables: own, file, isUnset: isAsWritten }), path: at })
      continue
    }
    const others = config.outputs.filter((other) => other !== output)
    if (output.format === 'xlsx')
      problems.push(...checkWorkbook(output, { tables: ownTables, others, isIncremental, path: at }))
    else problems.push(...checkDialect(output, at), ...checkSharing(output, ownTables, at))
    problems.push(...checkExtension(output, path), ...checkLabels(output, ownTables, isIncremental, at))
    const isSound = checkPath(output.path, ['pipeline', 'table'], isCompressible(output), path, problems)
    for (const table of own) {
      const { name = '', columns = [] } = tables[table] ?? {}
      const placed = place(fill(output.path, { pipeline: config.name, table: name }), outDir)
      const what = `the ${output.format} output of table "${name}"`
      if (isSound)
        claims.add({ file: placed, what, path, sharedAs: output.format === 'xlsx' ? `workbook ${index}` : undefined })
      placedFiles.push({ file: placed, path })
      files.push({
        table,
        path: placed,
        format: toFormat(output),
        gzip: isCompressible(output) && placed.endsWith('.gz'),
        // Periods have their own times, and are written whole.
        mode: isOfHistory(tables[table] ?? {}) ? 'merge' : toMode(output, isIncremental),
        removed: output.removed ?? 'drop',
        touched: output.touched ?? false,
        ...toSharing(output, { columns }),
      })
    }
  }
  const first = config.outputs.find((output) => !isDatabase(output) && output.format !== 'own')
  const beside = besideOf(first?.path ?? 'out/{pipeline}/{table}')
  function placeOwn(key: string, what: string, written: string | undefined, usual: string): string {
    const path = [key, 'path']
    const isSound = written === undefined || checkPath(written, ['pipeline'], false, path, problems)
    const placed = place(fill(written ?? usual, { pipeline: config.name }), outDir)
    placedFiles.push({ file: placed, path })
    if (isSound) claims.add({ file: placed, what, path })
    return placed
  }
  function placeLineage(): string | null {
    const path = ['lineage', 'file']
    const { file } = config.lineage ?? {}
    if (file === undefined || !checkPath(file, ['pipeline'], false, path, problems)) return null
    const placed = place(fill(file, { pipeline: config.name }), outDir)
    claims.add({ file: placed, what: 'the file of lineage', path })
    if (!isObjectPath(placed)) return placed
    const message = `expected a file on this machine, as events are added to it, got ${placed}`
    problems.push(problemAt(path, message))
    return null
  }
  const { rejects, manifest, profile, report, runs, dataPackage } = config
  const rejectsPath = placeOwn('rejects', 'the rejects file', rejects.path, joinPath(beside, '_rejects.ndjson'))
  const manifestUsual = joinPath(beside, '_manifest.json')
  const manifestPath = placeOwn('manifest', 'the manifest', manifest.path, manifestUsual)
  const profileUsual = toCompanionPath(manifest.path ?? manifestUsual, 'profile.json')
  const profileWritten = typeof profile === 'boolean' ? undefined : profile.path
  const profilePath = profile === false ? null : placeOwn('profile', 'the profile', profileWritten, profileUsual)
  const reportUsual = toCompanionPath(manifest.path ?? manifestUsual, 'report.html')
  const reportWritten = typeof report === 'boolean' ? undefined : report.path
  const reportPath = report === false ? null : placeOwn('report', 'the report', reportWritten, reportUsual)
  const runsUsual = toCompanionPath(manifest.path ?? manifestUsual, 'runs.ndjson')
  const runsPath = runs ? placeOwn('runs', 'the history of runs', undefined, runsUsual) : null
  const packageUsual = toDataPackagePath(manifest.path ?? manifestUsual)
  const dataPackagePath = dataPackage ? placeOwn('dataPackage', 'the data package', undefined, packageUsual) : null
  if (dataPackage) problems.push(...checkPackaged(files, manifestPath))
  const lineagePath = placeLineage()
  problems.push(...claims.problems, ...checkOneStorage(placedFiles), ...checkDatabasesApart(databases))
  const paths = { rejectsPath, manifestPath, profilePath, reportPath, runsPath, dataPackagePath, lineagePath }
  return { files, databases: databases.map(({ plan }) => plan), own: ownOutputs, ...paths, problems }
}

/** The path of a DuckDB file, or of the folders of tables; for those in a catalog an address that messages show. */
function placeDatabase(
  output: Exclude<DatabaseOutputConfig, ServerOutputConfig>,
  { pipeline, outDir }: { readonly pipeline: string; readonly outDir: string | undefined },
): string {
  const { catalog, namespace } = 'catalog' in output ? output : {}
  if (catalog !== undefined) return `${catalog.url.replace(/\/+$/, '')}, ${namespace}.{table}`
  return place(fill(output.path ?? defaultLakePath, { pipeline }), outDir)
}

const defaultLakePath = 'out/{pipeline}/{table}'

function describeLake(table: string): string {
  return `the delta output of table "${table}"`
}

function isCompressible({ format }: FileOutputConfig): boolean {
  return format === 'csv' || format === 'ndjson'
}

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
  const objectProblem = checkObjectPath(template)
  if (objectProblem !== undefined) {
    problems.push(problemAt(path, objectProblem))
    return false
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
  if (outDir === undefined || isAbsolutePath(path)) return path
  const parts = normalize(path).split(sep)
  return joinPath(outDir, ...(parts[0] === 'out' ? parts.slice(1) : parts))
}

/** All files of a pipeline are published together, which requires a single storage. */
function checkOneStorage(files: readonly { readonly file: string; readonly path: Problem['path'] }[]): Problem[] {
  const [first, ...others] = files
  const other = others.find(({ file }) => first !== undefined && storageOf(file) !== storageOf(first.file))
  if (first === undefined || other === undefined) return []
  const message = `expected all files of a pipeline in one place, as they are published together, got "${other.file}" beside "${first.file}"`
  return [problemAt(other.path, message)]
}

function checkPackaged(files: readonly Pick<FilePlan, 'path'>[], manifestPath: string): Problem[] {
  if (files.some(({ path }) => toPathBelow(manifestPath, path) !== null)) return []
  const message = `dataPackage: expected an output in files below the folder of the manifest, "${manifestPath}", got none`
  return [problemAt(['dataPackage'], message)]
}

function besideOf(template: string): string {
  const at = template.indexOf('{table}')
  const fixed = at < 0 ? template : template.slice(0, at)
  return fixed.endsWith('/') || fixed.endsWith(sep) ? fixed : dirname(fixed)
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

function toFormat(output: FileOutputConfig): FileFormat {
  switch (output.format) {
    case 'parquet':
      return { format: 'parquet', compression: output.compression, rowGroupRows: output.rowGroupRows }
    case 'ndjson':
      return { format: 'ndjson' }
    case 'xlsx':
      return { format: 'xlsx', ...toLabels(output) }
    case 'csv': {
      const { delimiter, quote, quoteAll, bom, lineBreak, escapeFormulas, header } = output
      const { listSeparator, decimalSeparator } = output
      const dialect = {
        delimiter,
        quote,
        quoteAll,
        bom,
        lineBreak,
        escapeFormulas,
        header,
        listSeparator,
        decimalSeparator,
      }
      return { format: 'csv', dialect, ...toLabels(output) }
    }
  }
}

function toLabels({ labels }: { readonly labels?: string | undefined }) {
  return labels === undefined ? {} : { labels }
}
