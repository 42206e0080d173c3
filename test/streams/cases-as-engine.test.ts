import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { FilePlan } from '../../src/plan/outputs/file-plan.ts'
import type { RecordsPlan } from '../../src/plan/records/records-plan.ts'
import { planPipeline } from '../../src/plan/plan-pipeline.ts'
import { runPlan } from '../../src/engine/run/run-pipeline.ts'
import {
  columnsOf,
  contracts,
  toCsv,
  toNdjson,
  type Column,
  type RejectedLine,
  type TableOptions,
} from '../../src/streams.ts'
import type { PipelineConfig } from '../../src/config/schemas/pipeline-schema.ts'
import { isDeep } from '../depth.ts'
import { collectText } from './collect.ts'
import { readRejects, waysToRows } from './table-stages.ts'

/* The stages give what the engine gives for the cases of fixtures/cases, with the same options. */

const casesFolder = fileURLToPath(new URL('../../fixtures/cases/', import.meta.url))
const workFolder = await mkdtemp(join(tmpdir(), 'cases-as-engine-'))
const cases = await readCases()

afterAll(() => rm(workFolder, { recursive: true }))

describe('the stages give the files and rejects of the engine', () => {
  test.each(cases.filter((_, at) => isDeep || at % 3 === 0))(
    'the stages give the files and rejects of the engine for the case $name',
    async ({ name, config }) => {
      const outDir = join(workFolder, name)
      const plan = planPipeline(config, { outDir, env: {} })
      const published = await runPlan(plan).then(
        () => true,
        () => false,
      )
      for (const file of published ? plan.outputs.files : []) {
        const table = toTableOptions(file, plan.records, config)
        const columns = columnsOf({ contract: contracts[plan.records.contract], ...table })
        const expected = {
          text: await readFile(file.path, 'utf8'),
          rejects: await readRejects(plan.report.rejects.path),
        }
        const hasRows = expected.text.includes('\n', expected.text.indexOf('\n') + 1)
        for (const [, toRowStages] of waysToRows) {
          for (const encoder of toEncoders(file, hasRows ? [columns, undefined] : [columns])) {
            const rejects: RejectedLine[] = []
            const stages = toRowStages(plan.records.contract, table, rejects, config.contract)
            const text = await collectText(readSource(config), ...stages, encoder)
            expect({ text, rejects }).toEqual(expected)
          }
        }
      }
    },
  )
})

interface Case {
  readonly name: string
  readonly config: PipelineConfig
}

/** Leaves out cases with input or options that stages lack: documents, several files, repeated ids. */
async function readCases(): Promise<Case[]> {
  const names = (await readdir(casesFolder)).toSorted()
  const configs = names.map(async (name) => {
    const config = parse(await readFile(join(casesFolder, name, 'pipeline.yaml'), 'utf8')) as PipelineConfig
    const files = [config.source.files ?? []].flat().map((file) => join(casesFolder, name, file))
    return { name, config: { ...config, source: { ...config.source, files } } }
  })
  return (await Promise.all(configs)).filter(({ config: { source, duplicates } }) => {
    const isOneFile = source.files?.length === 1 && /^[^*]+\.ndjson(?:\.gz)?$/.test([source.files].flat()[0] ?? '')
    return isOneFile && (duplicates ?? 'keep') === 'keep'
  })
}

function toTableOptions(file: FilePlan, records: RecordsPlan, config: PipelineConfig): TableOptions {
  const table = records.tables[file.table]?.name ?? ''
  const entry = config.tables?.[table] ?? {}
  const isRoot = records.tables[file.table]?.each.length === 0
  const where = isRoot ? config.where : entry.where
  return { ...entry, ...(where === undefined ? {} : { where }), table, locales: records.locales }
}

function readSource({ source }: PipelineConfig): Readable {
  const [path = ''] = [source.files ?? []].flat()
  const opened = createReadStream(path)
  return path.endsWith('.gz') ? opened.pipe(createGunzip()) : opened
}

function toEncoders({ format }: FilePlan, columnChoices: readonly (readonly Column[] | undefined)[]): Duplex[] {
  switch (format.format) {
    case 'csv':
      return columnChoices.map((columns) => toCsv({ ...format.dialect, columns }))
    case 'ndjson':
      return columnChoices.map((columns) => toNdjson({ columns }))
    case 'parquet':
    case 'xlsx':
      // same-as-engine.test.ts compares Parquet files.
      return []
  }
}
