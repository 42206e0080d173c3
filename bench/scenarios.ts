import { compareBytes, compareFiles } from './compare-files.ts'
import { compareCsv, compareNested, compareParquet } from './compare-outputs.ts'
import { selectCsvColumns } from './sides/duckdb-statements.ts'
import { dearerMark, flatMark, peakMark, slowestMark, speedMark, throughputMark, timeMark, type Mark } from './marks.ts'
import type { BenchInput } from './input/bench-input.ts'
import {
  archiveSides,
  duckDbRecordsSides,
  engineSides,
  plainChainSide,
  tunedDuckDb,
  typedDuckDb,
} from './sides/rival-sides.ts'
import { scriptSide } from './sides/script-side.ts'
import type { Side, SideOutput } from './sides/side.ts'
import { tool, toolSide, toolSides, webAssembly } from './sides/tool-side.ts'

/** Commands that are measured in turn. */
export interface Scenario {
  /** For `--only`. */
  readonly name: ScenarioName
  readonly title: string
  /** The others are compared with the first. */
  readonly sides: readonly Side[]
  /** Says what agrees between the outputs of the first side and of another; throws where they do not. */
  readonly compare?: (first: SideOutput, other: SideOutput, input: BenchInput) => Promise<string>
  readonly marks: readonly Mark[]
  /** An option of `run` without which it cannot be measured. */
  readonly needs?: string
}

export interface ScenarioSizes {
  readonly records: number
  /** True if marks are judged: on small files start-up is most of the time. */
  readonly judged: boolean
}

/** The built package that is measured. */
export interface Build {
  readonly cli: string
  readonly library: string
}

export const scenarioNames = [
  'parquet',
  'parquet-4x',
  'csv',
  'csv-4x',
  'all-fields',
  'all-fields-4x',
  'three-formats',
  'memory',
  'short-records',
  'streams',
  'workers',
  'workers-4x',
  'archives',
  'small-files',
  'start-up',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

export function toScenarios({ records, judged }: ScenarioSizes, build: Build): readonly Scenario[] {
  const parquet = '51 columns of the root table to one Parquet file, zstd'
  const csv = '51 columns of the root table to one CSV file'
  const allFields = 'all documented fields to Parquet, zstd: flat tables here, one file of nested records there'
  const workers = 'one thread that encodes and two, 51 columns to one Parquet file'
  const long = records * 4
  const scenarios = [
    columnsScenario(
      { name: 'parquet', title: parquet, format: 'parquet', records, marks: duckDbMarks(1.8, 1.7, 1.15) },
      build,
    ),
    longColumnsScenario(
      { name: 'parquet-4x', title: parquet, format: 'parquet', records: long, marks: duckDbMarks(1.2, 2, 1.25) },
      build,
    ),
    columnsScenario({ name: 'csv', title: csv, format: 'csv', records, marks: duckDbMarks(2.5, 2.2, 1.4) }, build),
    longColumnsScenario(
      { name: 'csv-4x', title: csv, format: 'csv', records: long, marks: duckDbMarks(1.2, 2.2, 1.4) },
      build,
    ),
    allFieldsScenario('all-fields', allFields, records, duckDbMarks(1.5, 2.5, 1.6), build),
    allFieldsScenario('all-fields-4x', `${allFields}, ${fourTimes}`, long, duckDbMarks(1.2, 2.5, 1.6), build),
    threeFormatsScenario(records, build),
    memoryScenario(records, build),
    shortRecordsScenario(records * 10, build),
    streamsScenario(records, build),
    workersScenario('workers', workers, records, build),
    workersScenario('workers-4x', `${workers}, ${fourTimes}`, long, build),
    archivesScenario(long, build),
    smallFilesScenario(records, build),
    startUpScenario(build),
  ]
  return judged ? scenarios : scenarios.map((scenario) => ({ ...scenario, marks: [] }))
}

const fourTimes = 'on the file four times as long'

/** Marks beside DuckDB. As typed, its work before it reads takes as long on a longer file: this tool is less ahead there. */
function duckDbMarks(timesAsTyped: number, tuned: number, tunedOnWebAssembly: number): readonly Mark[] {
  return [
    speedMark(tool, typedDuckDb, timesAsTyped),
    speedMark(tool, tunedDuckDb, tuned),
    speedMark(webAssembly, tunedDuckDb, tunedOnWebAssembly),
  ]
}

interface ColumnsScenario {
  readonly name: ScenarioName
  readonly title: string
  readonly format: 'parquet' | 'csv'
  readonly records: number
  readonly marks: readonly Mark[]
}

function columnsScenario(options: ColumnsScenario, build: Build): Scenario {
  const { records, format } = options
  const scenario = engineScenario(options, build)
  return { ...scenario, sides: [...scenario.sides, plainChainSide(records, format)] }
}

/** Without the plain chain, which would take half of the time of the benchmark. */
function longColumnsScenario(options: ColumnsScenario, build: Build): Scenario {
  return engineScenario({ ...options, title: `${options.title}, ${fourTimes}` }, build)
}

function engineScenario({ name, title, format, records, marks }: ColumnsScenario, { cli }: Build): Scenario {
  const settings = [`outputs=[{ format: ${format} }]`]
  return {
    name,
    title,
    sides: [...toolSides({ records, cli, config: 'columns-51.yaml', settings }), ...engineSides(records, format)],
    compare: compareSides((first, other, input) =>
      format === 'csv'
        ? compareCsv(`${first.path}/products.csv`, other.path, selectCsvColumns(input.path, 'tuned'))
        : compareParquet(`${first.path}/products.parquet`, other.path),
    ),
    marks,
  }
}

type Compare = NonNullable<Scenario['compare']>

/** Compares runs of this tool with each other, and with rivals by a function. */
function compareSides(compareRival: Compare): Compare {
  return (first, other, input) => (other.files.length > 0 ? compareRuns : compareRival)(first, other, input)
}

/** The footer of a Parquet file holds the id of its run. */
const compareRuns: Compare = async (first, other) =>
  compareFiles(first.files, other.files, (name) => !name.endsWith('.parquet'))

function startUpScenario(build: Build): Scenario {
  const title = '100 records, from start to finish'
  const marks = [timeMark(tool, 0.17), timeMark(webAssembly, 0.2)]
  return columnsScenario({ name: 'start-up', title, format: 'parquet', records: 100, marks }, build)
}

function allFieldsScenario(
  name: ScenarioName,
  title: string,
  records: number,
  marks: readonly Mark[],
  { cli }: Build,
): Scenario {
  const settings = ['outputs=[{ format: parquet }]']
  return {
    name,
    title,
    sides: [...toolSides({ records, cli, config: 'all-fields.yaml', settings }), ...duckDbRecordsSides(records)],
    compare: compareSides((first, other) => compareNested(first.path, other.path)),
    marks,
  }
}

function archivesScenario(records: number, { cli }: Build): Scenario {
  const size = { records, gzFiles: 20 }
  return {
    name: 'archives',
    title: `51 columns of the root table to one Parquet file, zstd, from ${size.gzFiles} gz files`,
    sides: [...toolSides({ ...size, cli, ...columnsOfParts }), ...archiveSides(size)],
    compare: compareSides((first, other) => compareParquet(`${first.path}/products.parquet`, other.path)),
    marks: duckDbMarks(2, 1.5, 1),
  }
}

function smallFilesScenario(records: number, { cli }: Build): Scenario {
  const side = (name: string, gzFiles: number) => toolSide({ name, records, gzFiles, cli, ...columnsOfParts })
  return {
    name: 'small-files',
    title: '51 columns to one Parquet file from gz files of a dozen products, and from the same bytes in one',
    sides: [side('small files', Math.floor(records / 12.5)), side('one file', 1)],
    compare: (first, other) => compareParquet(`${first.path}/products.parquet`, `${other.path}/products.parquet`),
    marks: [dearerMark('small files', 'one file', 1.3)],
  }
}

const columnsOfParts = {
  config: 'columns-51.yaml',
  settings: ['outputs=[{ format: parquet }]', 'source.parts=true'],
}

function threeFormatsScenario(records: number, { cli }: Build): Scenario {
  const alone = ['parquet', 'csv', 'ndjson']
  const side = (name: string, settings: readonly string[]) =>
    toolSide({ name, records, cli, config: 'all-fields.yaml', settings })
  return {
    name: 'three-formats',
    title: 'all documented fields to Parquet, CSV and NDJSON in one pass, and to each alone',
    sides: [side('three formats', []), ...alone.map((format) => side(format, [`outputs=[{ format: ${format} }]`]))],
    compare: compareRuns,
    marks: [slowestMark('three formats', alone, 1.7)],
  }
}

function memoryScenario(records: number, { cli }: Build): Scenario {
  const side = (name: string, times: number, config: string, workers?: number) =>
    toolSide({
      name,
      records: records * times,
      cli,
      config,
      ...(workers !== undefined && { options: ['--workers', String(workers)] }),
    })
  const [columns, allFields] = [
    ['51 columns', '51 columns, 4 ×'],
    ['three formats', 'three formats, 4 ×'],
  ] as const
  const [manyColumns, manyFormats] = ['51 columns, 4 ×, 8 workers', 'three formats, 4 ×, 8 workers']
  return {
    name: 'memory',
    title: 'memory on the file and on one four times as long: 51 columns to Parquet, all fields to three formats',
    sides: [
      side(columns[0], 1, 'columns-51.yaml'),
      side(columns[1], 4, 'columns-51.yaml'),
      side(allFields[0], 1, 'all-fields.yaml'),
      side(allFields[1], 4, 'all-fields.yaml'),
      side(manyColumns, 4, 'columns-51.yaml', 8),
      side(manyFormats, 4, 'all-fields.yaml', 8),
    ],
    marks: [
      peakMark([...columns, manyColumns], 300),
      flatMark(...columns, 0.15),
      peakMark([...allFields, manyFormats], 300),
      flatMark(...allFields, 0.15),
    ],
  }
}

/** What very short records become is many times their size. */
function shortRecordsScenario(records: number, { cli }: Build): Scenario {
  const locales = 'locales=[nl-BE, fr-BE, de-BE, nl, fr, de, en, es, it, pt]'
  const side = (workers: number) =>
    toolSide({
      name: `${workers} workers`,
      records,
      areShort: true,
      cli,
      config: 'all-fields.yaml',
      settings: [locales, 'outputs=[{ format: ndjson }]'],
      options: ['--workers', String(workers)],
    })
  return {
    name: 'short-records',
    title: 'products of an id and a number: all documented fields in ten locales to NDJSON',
    sides: [side(0), side(2), side(8)],
    compare: async (first, other) => compareFiles(first.files, other.files),
    marks: [peakMark(['0 workers'], 300), peakMark(['2 workers', '8 workers'], 600)],
  }
}

function streamsScenario(records: number, { cli, library }: Build): Scenario {
  const settings = ['outputs=[{ format: csv }]']
  return {
    name: 'streams',
    title: 'the streams of the library, one thread, 51 columns to CSV',
    sides: [
      ...['readRows', 'composed'].map((way) =>
        scriptSide({
          name: way,
          records,
          script: 'run-streams.mjs',
          format: 'csv',
          toArgs: (input, output) => [library, way, input, output],
        }),
      ),
      toolSide({ name: tool, records, cli, config: 'columns-51.yaml', settings }),
      plainChainSide(records, 'csv'),
    ],
    compare: (first, other, input) =>
      other.files.length > 0
        ? compareBytes(first.path, `${other.path}/products.csv`)
        : compareCsv(first.path, other.path, selectCsvColumns(input.path, 'tuned')),
    marks: [throughputMark('readRows', 183)],
  }
}

function workersScenario(name: ScenarioName, title: string, records: number, { cli }: Build): Scenario {
  // The thread that reads and writes encodes as well.
  const side = (sideName: string, workers: number) =>
    toolSide({ name: sideName, records, cli, config: 'columns-51.yaml', options: ['--workers', String(workers)] })
  return {
    name,
    title,
    sides: [side('two threads', 1), side('one thread', 0)],
    compare: async (first, other) => compareFiles(first.files, other.files),
    marks: [speedMark('two threads', 'one thread', 1.8)],
    needs: '--workers',
  }
}
