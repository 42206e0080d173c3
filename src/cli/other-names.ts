/** Words that people type for a command of another name. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  run: ['convert', 'export', 'import', 'start', 'execute', 'exec', 'transform', 'load', 'etl', 'process', 'publish'],
  check: ['validate', 'lint', 'test', 'config'],
  preview: ['show', 'head', 'sample', 'view', 'cat', 'peek'],
  profile: ['inspect', 'stats', 'summary', 'summarize', 'analyze', 'analyse', 'count'],
  trace: ['find', 'search', 'where', 'grep', 'lookup', 'locate'],
  diff: ['compare', 'cmp', 'changes'],
  plan: ['explain', 'tables', 'columns', 'dry-run'],
  init: ['new', 'create', 'setup', 'configure', 'scaffold', 'infer'],
  fetch: ['download', 'pull', 'dump', 'get'],
  endpoints: ['list', 'filters', 'api'],
  ddl: ['sql'],
  media: ['images', 'photos'],
  sandbox: ['serve', 'server', 'mock'],
  generate: ['fake', 'seed'],
  'rejects show': ['errors', 'rejected'],
  'rejects replay': ['replay', 'retry'],
  'state show': ['status'],
  'state reset': ['reset'],
}

/** The command that is meant by a word that is none, or by a file without a command before it. */
export function findMeant([word = '']: readonly string[]): { readonly message: string; readonly fix: string } | null {
  const meant = findCommand(word)
  if (meant !== undefined)
    return { message: `unknown command '${word}'; "${meant}" does that`, fix: `See \`catalogue-etl ${meant} --help\`.` }
  if (!/\.(?:ya?ml|json|ndjson|jsonl|gz)$/i.test(word)) return null
  return { message: `expected a command, got the file '${word}'`, fix: `\`catalogue-etl run ${word}\`` }
}

function findCommand(word: string): string | undefined {
  return Object.keys(otherNames).find((name) => otherNames[name]?.includes(word.toLowerCase()))
}
