import type { ConfigDraft } from './config-draft.ts'
import { quoteForShell } from './quote-for-shell.ts'

interface Variable {
  readonly name: string
  readonly comment: string
}

const ofService: readonly Variable[] = [
  { name: 'CATALOGUE_URL', comment: 'The address of the service, before /v3 or /v4: https://host' },
  { name: 'CATALOGUE_KEY_ID', comment: 'The id of your key' },
  { name: 'CATALOGUE_KEY_SECRET', comment: 'The secret of your key: no log and no file of this tool ever has it' },
]

const ofDatabase: readonly Variable[] = [
  { name: 'DATABASE_URL', comment: 'postgres://user:password@host:5432/database' },
]

function listVariables({ source, outputs }: ConfigDraft): readonly Variable[] {
  return [...(source.kind === 'service' ? ofService : []), ...(outputs.includes('postgres') ? ofDatabase : [])]
}

/** Formats `.env.example`, without values; null if the config needs no variables. */
export function formatEnvExample(draft: ConfigDraft, config: string): string | null {
  const variables = listVariables(draft)
  if (variables.length === 0) return null
  const lines = [
    '# Copy this file to .env, fill it in there, and keep .env out of version control. Then:',
    `#   catalogue-etl run ${quoteForShell(config).replaceAll(/\p{Cc}/gu, '?')} --env .env`,
    ...variables.flatMap(({ name, comment }) => ['', `# ${comment}`, `${name}=`]),
  ]
  return `${lines.join('\n')}\n`
}

export function listMissing(draft: ConfigDraft, text: string): string[] {
  const names = listVariables(draft).map(({ name }) => name)
  return names.filter((name) => !new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`, 'm').test(text))
}
