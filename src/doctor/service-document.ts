import type { Endpoint } from '../service/endpoints/endpoint.ts'
import { endpoints } from '../service/endpoints/endpoints.ts'
import { contracts, type Contract } from '../contracts/contracts.ts'
import type { Field } from '../contracts/fields.ts'
import { answerInterpretations } from './interpretations/answer-interpretations.ts'
import type { Interpretation } from './interpretations/interpretation.ts'
import { interpretations } from './interpretations.ts'
import { requestInterpretations } from './interpretations/request-interpretations.ts'
import { valueInterpretations } from './interpretations/value-interpretations.ts'

/** Formats docs/service.md, which lists every interpretation of the specification. */
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

Does this tool fit your service? The specification leaves some things open, and contradicts itself in others. This page, made from the code by
\`npm run docs\`, lists every decision: what the specification says, what is assumed and why, what happens if that is wrong, and how to find out.

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

\`doctor\` asks each endpoint that reads for its smallest answer, in about 55 requests. It writes nothing, and prints no data: only names of fields,
types, counts and statuses. \`doctor --help\` has its options and exit codes; \`--json\` writes a document ([doctor.schema.json](doctor.schema.json))
of which two can be compared.

| What it prints | Means | Do |
|---|---|---|
| Differs, and needs a change | runs would fail, lose lines or be wrong | what the line \`Do:\` says |
| Differs, and is read all the same | runs read the other form too | nothing; the line \`Do:\` says how to get more of it |
| Could not be told | no record came, the key may not read it, or the catalogue is too small | ask with another key, or see "By hand" below |
| Holds | every answer that shows it is as assumed | nothing |
| Endpoints without a record | refused, silent for 30 seconds, no JSON, or empty | ask the support if you need it |

Called once a week with \`--strict\`, which ends with 3 if something needs a change, \`doctor\` is an alert for changes of the service.
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
    '| Name | Assumption | If it is wrong | Found out |',
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
    `**Specification** (${section}): ${says}`,
    `**Why:** ${why}`,
    `**If it is wrong:** ${ifWrong}`,
    ...(fix === null ? [] : [`**Do:** ${fix}`]),
    ...(doctor === null ? [] : [`**Doctor** ${doctor}.`]),
    ...(byHand === undefined ? [] : [`**By hand:** ${byHand}`]),
  ]
  return [`### ${name}`, '', `${title}.`, '', ...items.map((item) => `- ${item}`), ''].join('\n')
}

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

function formatFields(): string {
  const byText = new Map<string, Map<string, string[]>>()
  for (const contract of Object.values(contracts) as Contract[]) {
    for (const [path, field] of contract.fields) addNotes(byText, contract.name, path, field)
  }
  const rows = [...byText].map(([text, byContract]) => `| ${text} | ${formatPlaces(byContract)} |`)
  return [
    '## Field by field',
    '',
    'Fields of which a contract accepts more than the specification writes, or has to choose between two of its sentences.',
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
