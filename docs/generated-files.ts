import { formatContractDocument } from '../src/contracts/contract-document.ts'
import { contracts, type Contract } from '../src/contracts/contracts.ts'
import {
  toDoctorDocumentJsonSchema,
  toRunDocumentJsonSchema,
  toVerifyDocumentJsonSchema,
} from '../src/cli/log/document-schemas.ts'
import { formatServiceDocument } from '../src/doctor/service-document.ts'
import { toPipelineJsonSchema } from '../src/config/pipeline-json-schema.ts'
import { formatConfigTypes } from './config-types.ts'

/** The files in this repository that are made from code, by path. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const all: readonly Contract[] = Object.values(contracts)
  const head = `# Contracts

Made from the zod contracts by \`npm run docs\`. Codes are text in every output; a field that is missing and one that is null are the
same. Money stays the whole number that was delivered. The specification labels it EUR in v4 and EUR cents in v3, and a
v4 price of 2536 has been met as 25.36; so a column that is a decimal or a float of it has to say \`unit: cents\`
(2536 becomes 25.36) or \`unit: units\` (2536 becomes 2536.00).

`
  return new Map([
    ['docs/contracts.md', head + all.map(formatContractDocument).join('\n')],
    ['src/config/pipeline-config.ts', await formatConfigTypes()],
    ['docs/service.md', formatServiceDocument()],
    ['docs/doctor.schema.json', `${JSON.stringify(toDoctorDocumentJsonSchema(), null, 2)}\n`],
    ['docs/run-report.schema.json', `${JSON.stringify(toRunDocumentJsonSchema(), null, 2)}\n`],
    ['docs/verify.schema.json', `${JSON.stringify(toVerifyDocumentJsonSchema(), null, 2)}\n`],
    ['pipelines/pipeline.schema.json', `${JSON.stringify(toPipelineJsonSchema(), null, 2)}\n`],
  ])
}
