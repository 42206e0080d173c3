import { formatContractDocument } from '../src/contracts/contract-document.ts'
import { contracts, type Contract } from '../src/contracts/contracts.ts'
import { toRunDocumentJsonSchema } from '../src/cli/run-document-schema.ts'
import { toPipelineJsonSchema } from '../src/config/pipeline-json-schema.ts'

/** The files in this repository that are made from code, by path. */
export function generatedFiles(): Map<string, string> {
  const all: readonly Contract[] = Object.values(contracts)
  const head = `# Contracts

Made from the zod contracts by \`npm run docs\`. Codes are text in every output; money stays the integer that was
delivered; a field that is missing and one that is null are the same.

`
  return new Map([
    ['docs/contracts.md', head + all.map(formatContractDocument).join('\n')],
    ['docs/run-report.schema.json', `${JSON.stringify(toRunDocumentJsonSchema(), null, 2)}\n`],
    ['pipelines/pipeline.schema.json', `${JSON.stringify(toPipelineJsonSchema(), null, 2)}\n`],
  ])
}
