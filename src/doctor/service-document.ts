import type { Endpoint } from '../service/endpoints/endpoint.ts'
import { endpoints } from '../service/endpoints/endpoints.ts'
import { contracts, type Contract } from '../contracts/contracts.ts'
import type { Field } from '../contracts/fields.ts'
import { answerInterpretations } from './interpretations/answer-interpretations.ts'
import type { Interpretation } from './interpretations/interpretation.ts'
import { interpretations } from './interpretations.ts'
import { requestInterpretations } from './interpretations/request-interpretations.ts'
import { valueInterpretations } from './interpretations/value-interpretations.ts'

/** docs/service.md: every interpretation of the specification, for people who ask whether it fits their service. */
export function formatServiceDocument(): string {
  return [
    introduction,
    formatIndex(),
    formatGroup('How the service is asked', requestInterpretations),
    formatGroup('What answers look like', answerInterpretations),
    formatGroup('What values mean', valueInterpretations),
    formatEndpoints(),
    formatFields(),
  ].join('\n')
}

const introduction = `# What is assumed about the service

Made from the code by \`npm run docs\`. The specification of the service leaves some things open and contradicts itself in others.
This page lists every decision that was made there: what the specification says, what is assumed and why, what happens where that
is wrong, and how to find out.

## Ask your service

\`\`\`sh
catalogue-etl doctor --env production.env
\`\`\`

\`production.env\` has three lines:

\`\`\`sh
CATALOGUE_URL=https://api.example.com
CATALOGUE_KEY_ID=your-key-id
CATALOGUE_KEY_SECRET=your-key-secret
\`\`\`

\`doctor\` asks each endpoint that reads for its smallest answer: a page of 10, three lines of a stream, one record, a reference
list. That is about 55 requests, one after another, within the 100 a minute of the key. It never writes anything. It prints no data:
only names of fields, types, counts and statuses, and no name that may be data itself.

- \`doctor pipelines/products.yaml\` takes address and key from a pipeline in place of the variables.
- \`--base-url URL\` replaces the address.
- \`--only v4/products/query v4/media/query\` asks only these endpoints, and those that they need ids from.
- \`--json\` writes one document ([doctor.schema.json](doctor.schema.json)) with the findings, and for every endpoint its status, content type and
  header names, the types of every field that came, and the fields beyond the contract. Two of them can be compared.
- \`--strict\` ends with 3 where something needs a change.

| What it prints | Means | Do |
|---|---|---|
| Differs, and needs a change | runs would fail, lose lines or be wrong | what the line \`Do:\` says |
| Differs, and is read all the same | the service does it in another way, which runs read too | nothing; the line \`Do:\` says how to get more of it |
| Could not be told | no record came, the key may not read it, or the catalogue is too small | ask with another key, or see "By hand" below |
| Holds | every answer that shows it is as assumed | nothing |
| Endpoints without a record | the endpoint refuses (403, 404, 405, 500, …), does not answer within 30 seconds, sends no JSON, or is empty | ask the support if you need it; the others were asked all the same |

| Exit code | Means |
|---|---|
| 0 | the service was asked, whatever was found |
| 2 | a variable is missing, or an option is wrong |
| 3 | with \`--strict\` only: something differs that needs a change |
| 4 | the service can't be reached, or gives this key no data at all |
| 130 | interrupted |

Called once a week with \`--strict\`, \`doctor\` is an alert for changes of the service. What is read all the same is no failure, as it would
be one every week.
`

type Group = Readonly<Record<string, Interpretation>>

function formatIndex(): string {
  const rows = Object.entries(interpretations satisfies Group as Group).map(([name, { title, isHandled, doctor }]) => {
    const wrong = isHandled ? 'read all the same' : 'needs a change'
    return `| [${name}](#${name}) | ${title} | ${wrong} | ${doctor === null ? 'by hand' : 'doctor'} |`
  })
  return [
    '## All assumptions',
    '',
    '| Name | Assumption | Where it is wrong | Found out |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function formatGroup(title: string, group: Group): string {
  const entries = Object.entries(group).map(([name, interpretation]) => formatInterpretation(name, interpretation))
  return [`## ${title}`, '', ...entries].join('\n')
}

function formatInterpretation(name: string, interpretation: Interpretation): string {
  const { title, section, says, why, ifWrong, fix, doctor, byHand } = interpretation
  const items = [
    `**Assumed:** ${title}.`,
    `**Specification** (${section}): ${says}`,
    `**Why:** ${why}`,
    `**Where it is wrong:** ${ifWrong}`,
    ...(fix === null ? [] : [`**Do:** ${fix}`]),
    ...(doctor === null ? [] : [`**Doctor** ${doctor}.`]),
    ...(byHand === undefined ? [] : [`**By hand:** ${byHand}`]),
  ]
  return [`### ${name}`, '', ...items.map((item) => `- ${item}`), ''].join('\n')
}

/** The assumptions of single endpoints, as `endpoints` lists them. */
function formatEndpoints(): string {
  const byText = new Map<string, string[]>()
  for (const { name, assumption } of Object.values(endpoints) as Endpoint[]) {
    if (assumption !== undefined) byText.set(assumption, [...(byText.get(assumption) ?? []), `\`${name}\``])
  }
  const rows = [...byText].map(([text, names]) => `| ${text} | ${names.join(', ')} |`)
  return [
    '## Endpoint by endpoint',
    '',
    'The same as `catalogue-etl endpoints` shows.',
    '',
    '| Assumed | Of |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** The notes of fields that accept more than the specification writes, each with its fields. */
function formatFields(): string {
  const byText = new Map<string, Map<string, string[]>>()
  for (const contract of Object.values(contracts) as Contract[]) {
    for (const [path, field] of contract.fields) addNotes(byText, contract.name, path, field)
  }
  const rows = [...byText].map(([text, byContract]) => `| ${text} | ${formatPlaces(byContract)} |`)
  return [
    '## Field by field',
    '',
    'Where a contract accepts more than the specification writes, or has to choose between two of its sentences. Every field is in [contracts.md](contracts.md).',
    '',
    '| Accepted | In |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function addNotes(byText: Map<string, Map<string, string[]>>, contract: string, path: string, field: Field): void {
  const { deviation } = field.notes
  if (deviation !== undefined) {
    const places = byText.get(deviation) ?? new Map<string, string[]>()
    const paths = places.get(contract) ?? []
    byText.set(deviation, places.set(contract, paths.includes(path) ? paths : [...paths, path]))
  }
  if (field.kind === 'object')
    for (const [name, member] of field.fields) addNotes(byText, contract, `${path}.${name}`, member)
  if (field.kind === 'list') addNotes(byText, contract, `${path}[]`, field.element)
  if (field.kind === 'localized') addNotes(byText, contract, `${path}.*`, field.element)
}

const mostPlaces = 6

/** The same paths in several contracts are one entry. */
function formatPlaces(byContract: ReadonlyMap<string, readonly string[]>): string {
  const byPaths = new Map<string, string[]>()
  for (const [contract, paths] of byContract) {
    const shown = paths.slice(0, mostPlaces).map((path) => `\`${path}\``)
    const more = paths.length > mostPlaces ? ` and ${paths.length - mostPlaces} more` : ''
    const text = shown.join(', ') + more
    byPaths.set(text, [...(byPaths.get(text) ?? []), contract])
  }
  return [...byPaths].map(([paths, names]) => `${names.join(', ')}: ${paths}`).join('; ')
}
