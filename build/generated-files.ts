import { formatBothVersions } from './both-versions.ts'
import { formatContractDocument } from '../src/contracts/contract-document.ts'
import { contracts, type Contract } from '../src/contracts/contracts.ts'
import {
  toDoctorDocumentJsonSchema,
  toRunDocumentJsonSchema,
  toVerifyDocumentJsonSchema,
} from '../src/cli/log/document-schemas.ts'
import { formatServiceDocument } from '../src/doctor/service-document.ts'
import { toRunJsonSchema } from '../src/manifest/runs-schema.ts'
import { toDigestJsonSchema } from '../src/inspect/digest/digest-schema.ts'
import { toProfileJsonSchema } from '../src/kernel/profile/run-profile.ts'
import { toPipelineJsonSchema } from '../src/config/pipeline-json-schema.ts'
import { formatReadme } from './command-list.ts'
import { formatConfigKeys } from './config-keys.ts'
import { formatConfigTypes } from './config-types.ts'
import { formatKernelLayout } from './kernel-layout.ts'
import { formatLineageSchemas } from './lineage-schemas.ts'
import { formatMetrics } from './metrics-page.ts'
import { formatPublicApi } from './public-api.ts'
import { formatEndpointTypes } from './types/endpoint-types.ts'
import { formatManifestTypes } from './types/manifest-types.ts'
import { formatRecordTypes } from './types/record-types.ts'
import { formatTableTypes } from './types/table-types.ts'

/** The files in this repository that are made from code, by path. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const all: readonly Contract[] = Object.values(contracts)
  const head = `# Contracts

Made from the zod contracts by \`npm run docs\`. Codes are text in every output; a field that is missing and one that is null are the
same. Money stays the whole number that was delivered. The specification labels it EUR in v4 and EUR cents in v3, and a
v4 price of 2536 has been met as 25.36; so a column that is a decimal or a float of it has to say \`unit: cents\`
(2536 becomes 25.36) or \`unit: units\` (2536 becomes 2536.00).

## Accepted forms

Deliveries differ from the specification in form. These forms are accepted in every field of a kind, and each has one canonical
form, which rows, comparisons between runs and JSON Schema are made of. What fits none of them is a wrong value:
[\`contract.invalidValues\`](configuration.md#wrong-values) says if it costs the record, or only itself.

| Kind | Also accepted | Canonical form |
|---|---|---|
| text | a number: \`1000\` | its digits: \`1000\` |
| integer, money | text of a whole number of at most 64 bits, as JSON would write it: \`"820"\` | the number |
| float | text of a number without an exponent: \`"10.20"\` | the number |
| timestamp | text of whole Unix seconds: \`"1330556400"\` | the time |
| code | a whole number; several codes in a list | text, with its lost leading zeros; several joined by a vertical bar |
| boolean | nothing else | |
| localized | text or a number without a locale; an empty list | the value of every locale; nothing |
| object | an empty list | an object with nothing in it |
| list of scalars | a single value | a list of one |

Forms of single fields are in the last column of the tables below. \`"05"\`, \`" 5"\`, \`"+5"\` and \`"1e3"\` are no numbers: what they
mean is not certain.

## Fields beyond a contract

Fields that a contract does not list are accepted and counted as drift. [\`contract.extra\`](configuration.md#fields-beyond-the-contract)
adds those that a pipeline names, with a type: \`text\`, \`code\`, \`integer\`, \`float\`, \`boolean\`, \`timestamp\`, \`localized\` or \`json\`.
In the library \`extendContract('v4/product', { artgId: 'text' })\` gives the contract that has them. The version of the contract
stays; manifests list the columns.

`
  const { rows, tables } = await formatTableTypes()
  return new Map([
    ['README.md', await formatReadme()],
    ['docs/contracts.md', head + formatBothVersions() + all.map(formatContractDocument).join('\n')],
    ['docs/config-keys.md', formatConfigKeys()],
    ['kernel/crates/kernel/src/layout.rs', formatKernelLayout()],
    ['src/config/pipeline-config.ts', await formatConfigTypes()],
    ['src/manifest/manifest-types.ts', await formatManifestTypes()],
    ['src/service/endpoints/endpoint-types.ts', await formatEndpointTypes()],
    ['src/contracts/record-types.ts', await formatRecordTypes()],
    ['src/records/tables/rows.ts', rows],
    ['src/records/tables/tables.ts', tables],
    ['src/engine/observe/lineage/facet-schemas.ts', await formatLineageSchemas()],
    ['docs/service.md', formatServiceDocument()],
    ['docs/metrics.md', formatMetrics()],
    ['docs/public-api.md', await formatPublicApi()],
    ['docs/digest.schema.json', `${JSON.stringify(toDigestJsonSchema(), null, 2)}\n`],
    ['docs/doctor.schema.json', `${JSON.stringify(toDoctorDocumentJsonSchema(), null, 2)}\n`],
    ['docs/runs.schema.json', `${JSON.stringify(toRunJsonSchema(), null, 2)}\n`],
    ['docs/profile.schema.json', `${JSON.stringify(toProfileJsonSchema(), null, 2)}\n`],
    ['docs/run-report.schema.json', `${JSON.stringify(toRunDocumentJsonSchema(), null, 2)}\n`],
    ['docs/verify.schema.json', `${JSON.stringify(toVerifyDocumentJsonSchema(), null, 2)}\n`],
    ['pipelines/pipeline.schema.json', `${JSON.stringify(toPipelineJsonSchema(), null, 2)}\n`],
  ])
}
