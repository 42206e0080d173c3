import { compareBytes, compareFiles } from './compare-files.ts'
import { compareCsv, compareNested, compareParquet } from './compare-outputs.ts'
import { selectCsvColumns } from './duckdb-statements.ts'
import { flatMark, peakMark, slowestMark, speedMark, throughputMark, timeMark, type Mark } from './marks.ts'
import type { BenchInput } from './prepare-input.ts'
import { duckDbRecordsSide, plainChainSide, rivalSides } from './rival-sides.ts'
import { scriptSide } from './script-side.ts'
import type { Side, SideOutput } from './side.ts'
import { toolSide } from './tool-side.ts'

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
  /** Whether marks are judged: on small files start-up is most of the time. */
  readonly judged: boolean
}

/** The built package that is measured. */
export interface Build {
  readonly cli: string
  readonly library: string
}

export const scenarioNames = [
  'parquet',
  'csv',
  'all-fields',
  'three-formats',
  'memory',
  'streams',
  'workers',
  'workers-4x',
  'start-up',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

export function toScenarios({ records, judged }: ScenarioSizes, build: Build): readonly Scenario[] {
  const scenarios = [
    columnsScenario('parquet', '51 columns of the root table to one Parquet file, zstd', records, build, [
      speedMark('this tool', 'DuckDB', 1.8),
    ]),
    columnsScenario('csv', '51 columns of the root table to one CSV file', records, build, [
      speedMark('this tool', 'DuckDB', 2.5),
    ]),
    allFieldsScenario(records, build),
    threeFormatsScenario(records, build),
    memoryScenario(records, build),
    streamsScenario(records, build),
    workersScenario('workers', 'one thread that encodes and two, 51 columns to one Parquet file', records, build),
    workersScenario('workers-4x', 'the same, on the file four times as long', records * 4, build),
    startUpScenario(build),
  ]
  return judged ? scenarios : scenarios.map((scenario) => ({ ...scenario, marks: [] }))
}

function columnsScenario(
  format: 'parquet' | 'csv',
  title: string,
  records: number,
  { cli }: Build,
  marks: readonly Mark[],
): Scenario {
  const settings = [`outputs=[{ format: ${format} }]`]
  return {
    name: format,
    title,
    sides: [
      toolSide({ name: 'this tool', records, cli, config: 'columns-51.yaml', settings }),
      ...rivalSides(records, format),
    ],
    compare: (first, other, input) =>
      format === 'csv'
        ? compareCsv(`${first.path}/products.csv`, other.path, selectCsvColumns(input.path))
        : compareParquet(`${first.path}/products.parquet`, other.path),
    marks,
  }
}

function startUpScenario(build: Build): Scenario {
  const marks = [timeMark('this tool', 0.5)]
  return { ...columnsScenario('parquet', '100 records, from start to finish', 100, build, marks), name: 'start-up' }
}

function allFieldsScenario(records: number, { cli }: Build): Scenario {
  const settings = ['outputs=[{ format: parquet }]']
  return {
    name: 'all-fields',
    title: 'all documented fields to Parquet, zstd: flat tables here, one file of nested records there',
    sides: [
      toolSide({ name: 'this tool', records, cli, config: 'all-fields.yaml', settings }),
      duckDbRecordsSide(records),
    ],
    compare: (first, other) => compareNested(first.path, other.path),
    marks: [speedMark('this tool', 'DuckDB', 1.5)],
  }
}

function threeFormatsScenario(records: number, { cli }: Build): Scenario {
  const alone = ['parquet', 'csv', 'ndjson']
  const side = (name: string, settings: readonly string[]) =>
    toolSide({ name, records, cli, config: 'all-fields.yaml', settings })
  return {
    name: 'three-formats',
    title: 'all documented fields to Parquet, CSV and NDJSON in one pass, and to each alone',
    sides: [side('three formats', []), ...alone.map((format) => side(format, [`outputs=[{ format: ${format} }]`]))],
    // The footer of a Parquet file holds the id of its run.
    compare: async (first, other) => compareFiles(first.files, other.files, (name) => !name.endsWith('.parquet')),
    marks: [slowestMark('three formats', alone, 1.7)],
  }
}

function memoryScenario(records: number, { cli }: Build): Scenario {
  const side = (name: string, times: number, config: string) =>
    toolSide({ name, records: records * times, cli, config })
  const [columns, allFields] = [
    ['51 columns', '51 columns, 4 ×'],
    ['three formats', 'three formats, 4 ×'],
  ] as const
  return {
    name: 'memory',
    title: 'memory on the file and on one four times as long: 51 columns to Parquet, all fields to three formats',
    sides: [
      side(columns[0], 1, 'columns-51.yaml'),
      side(columns[1], 4, 'columns-51.yaml'),
      side(allFields[0], 1, 'all-fields.yaml'),
      side(allFields[1], 4, 'all-fields.yaml'),
    ],
    marks: [
      peakMark([...columns], 400),
      flatMark(...columns, 0.15),
      peakMark([...allFields], 400),
      flatMark(...allFields, 0.15),
    ],
  }
}

function streamsScenario(records: number, { cli, library }: Build): Scenario {
  const settings = ['outputs=[{ format: csv }]']
  return {
    name: 'streams',
    title: 'the stream composition of the library, one thread, 51 columns to CSV',
    sides: [
      scriptSide({
        name: 'streams',
        records,
        script: 'run-streams.mjs',
        format: 'csv',
        toArgs: (input, output) => [library, input, output],
      }),
      toolSide({ name: 'this tool', records, cli, config: 'columns-51.yaml', settings }),
      plainChainSide(records, 'csv'),
    ],
    compare: (first, other, input) =>
      other.files.length > 0
        ? compareBytes(first.path, `${other.path}/products.csv`)
        : compareCsv(first.path, other.path, selectCsvColumns(input.path)),
    marks: [throughputMark('streams', 80)],
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
    marks: [speedMark('two threads', 'one thread', 1.7)],
    needs: '--workers',
  }
}
