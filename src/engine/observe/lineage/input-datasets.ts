import type { SourceReport } from '../../../manifest/manifest.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { sumBytes } from '../../../report/facts/files.ts'
import type { ReportManifest } from '../../../report/report-manifest.ts'
import { listRecordFields } from './column-lineage.ts'
import { type Dataset, facet, toDataset } from './dataset.ts'
import { listAssertions } from './list-assertions.ts'
import { type DatasetName, nameFile, nameInputs } from './name-datasets.ts'

/** What a run read, with what it counted and checked. */
export function toInputs(plan: PipelinePlan, report: ReportManifest): Dataset[] {
  const names = nameInputs(plan.source)
  const schema = facet('schema', { fields: listRecordFields(plan.records) })
  return names.map((input) => {
    const { facets, ...dataset } = toDataset(input)
    const isOnly = names.length === 1
    const sources = isOnly ? report.sources : report.sources.filter((source) => isOf(input, source))
    const rowCount = sources.reduce((sum, { lines }) => sum + lines, 0)
    const files = plan.source.kind === 'files' ? { fileCount: sources.length } : {}
    const doubtful = sources.find(({ completeness: { status } }) => status !== 'proven')
    const { completeness } = (isOnly ? null : doubtful) ?? report
    const assertions = listAssertions(report, completeness, plan)
    return {
      ...dataset,
      facets: { ...facets, ...schema },
      inputFacets: {
        ...facet('inputStatistics', { rowCount, size: sumBytes(sources), ...files }),
        ...facet('dataQualityAssertions', { assertions }),
      },
    }
  })
}

/** True for a file that the input is, or that is in its folder. */
function isOf(input: DatasetName, { name: path }: SourceReport): boolean {
  if (path === '<stdin>') return input.namespace === 'inmemory://'
  const { namespace, name } = nameFile(path)
  return namespace === input.namespace && (name === input.name || name.startsWith(`${input.name}/`))
}
