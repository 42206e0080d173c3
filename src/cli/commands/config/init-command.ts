import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { endpoints } from '../../../service/endpoints/endpoints.ts'
import { toPipelineName } from '../../../config/pipeline-name.ts'
import type { ContractName } from '../../../contracts/contracts.ts'
import { CatalogueError } from '../../../errors.ts'
import { chooseEndpoint, looksLikeEndpoint, toEndpointPipelineName } from '../../../describe/init/choose-endpoint.ts'
import { draftService, type ConfigDraft } from '../../../describe/init/config-draft.ts'
import { draftForFiles, formatDraft, type WritableDraft } from '../../../describe/init/draft-for-files.ts'
import { formatEnvExample, listMissing } from '../../../describe/init/env-example.ts'
import { checkNoTable, namesConfig } from '../../../describe/init/is-export.ts'
import { quoteForShell } from '../../../describe/init/quote-for-shell.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { renameFile } from '../../../storage/file-system.ts'
import { failedWith, outputOperation } from '../../../storage/output-operation.ts'
import { toInterruption } from '../../bare-exports.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { argument, flag, option } from '../../parameter.ts'
import { canAsk, createQuestions, type Questions } from '../../questions.ts'
import { renderDraft } from '../../render/render-draft.ts'
import { log, type Terminal } from '../../terminal.ts'
import { contractChoice } from '../../shared-options.ts'

const options = {
  yes: flag('ask nothing: every table, every locale that is found, Parquet and CSV'),
  to: option(
    '<file>',
    'the config to write, - for standard output; by default named after the export or endpoint, here',
  ),
  force: flag('replace the config where it is there'),
  contract: contractChoice('what the records of an export are; by default they are recognized'),
}

type Options = InputOf<typeof options>

export const initCommand = defineCommand({
  description:
    'Writes a config with comments: for an export, whose contract and locales it recognizes, or for an endpoint of the service. Asks in a terminal for tables, locales and outputs.',
  otherNames: ['new', 'create', 'setup', 'configure', 'scaffold', 'infer'],
  arguments: {
    names: argument(
      '[export-or-endpoint...]',
      'files of one export (NDJSON or JSON, .gz too, globs), or an endpoint such as v4/products',
    ),
  },
  options,
  examples: ['catalogue-etl init data/export.ndjson.gz', 'catalogue-etl init v4/products --yes --to products.yaml'],
  after: `For an endpoint it also writes .env.example, with the names of the variables and no value. Only the
beginning of an export is read: 1,000 records at most.`,
  async run({ names, ...input }, terminal) {
    const questions = input.yes !== true && canAsk(terminal) ? createQuestions(terminal) : null
    if (names.length === 0 && questions === null) throw nothingNamed()
    if (questions === null && input.yes !== true && input.to !== '-')
      log(terminal, 'note: there is no terminal to ask in: takes the defaults, as with --yes')
    const chosen = names.length > 0 || questions === null ? names : await questions.askSource()
    const { draft: found, file } = await draftFor(chosen, input, questions, terminal)
    const target = input.to ?? file
    if (target !== '-' && input.force !== true) await checkFree(target)
    // Two configs of one export don't share their outputs.
    const usual = target === '-' ? found : { ...found, name: toPipelineName(target) }
    if (questions !== null) log(terminal, describeSource(usual))
    const draft = questions === null ? usual : await questions.askChoices(usual)
    if (target === '-') terminal.stdout.write(formatDraft(draft, file))
    else await writeDraft(draft, target, input, terminal)
  },
})

function describeSource({ contract, source }: ConfigDraft): string {
  if (source.kind === 'service') return `${source.endpoint}: ${contract}`
  return `${source.survey.files.join(', ')}: ${contract}, ${source.survey.reason}`
}

async function draftFor(
  names: readonly string[],
  { contract }: Options,
  questions: Questions | null,
  terminal: Terminal,
): Promise<WritableDraft> {
  const [first = ''] = names
  if (looksLikeEndpoint(first) && !(await isThere(first))) return draftForEndpoint(names, contract)
  const config = names.find(namesConfig)
  if (config !== undefined) throw notAConfig(config)
  for (const name of names) checkNoTable(name)
  const { signal, env } = terminal
  const chooseContract = questions === null ? {} : { chooseContract: questions.askContract }
  return draftForFiles(names, { contract, signal, env, ...chooseContract }).catch((error: unknown) => {
    throw toInterruption(error, terminal)
  })
}

function draftForEndpoint(
  [text = '', ...others]: readonly string[],
  contract: ContractName | undefined,
): WritableDraft {
  if (others.length > 0) throw usage(`expected one endpoint, got ${others.length + 1}`, 'Write a config for each.')
  if (contract !== undefined)
    throw usage(`${text}: expected --contract for an export, got it for an endpoint, which has its own`)
  const endpoint = chooseEndpoint(text)
  const name = toEndpointPipelineName(endpoint)
  return { draft: draftService(name, endpoint, endpoints[endpoint].contract), file: `${name}.yaml` }
}

async function checkFree(path: string): Promise<void> {
  if (await isThere(path)) throw isTaken(path)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function writeDraft(draft: ConfigDraft, file: string, { force }: Options, terminal: Terminal): Promise<void> {
  await writeText(file, formatDraft(draft, file), force === true)
  log(terminal, [`${escapeControls(file)}: written`, ...renderDraft(draft)].join('\n'))
  await writeEnvExample(draft, file, terminal)
  const config = `${quoteForShell(file)}${formatEnvExample(draft, file) === null ? '' : ' --env .env'}`
  log(terminal, `Next: \`catalogue-etl preview ${config}\`, \`catalogue-etl run ${config}\``)
}

/** Writes the variables to a file beside the config. Never replaces a file there, which others may have edited. */
async function writeEnvExample(draft: ConfigDraft, config: string, terminal: Terminal): Promise<void> {
  const text = formatEnvExample(draft, config)
  if (text === null) return
  const path = join(dirname(config), '.env.example')
  if (!(await isThere(path))) {
    await writeText(path, text, false)
    return log(terminal, `${path}: written: copy it to .env and fill it in`)
  }
  const missing = listMissing(draft, await readFile(path, 'utf8'))
  const lacks = missing.length === 0 ? '' : `, without ${missing.join(', ')}: add what the config needs`
  log(terminal, `${path}: kept as it was${lacks}`)
}

/** Writes to another name first, so that a file at this path is always whole. */
async function writeText(path: string, text: string, mayReplace: boolean): Promise<void> {
  await outputOperation(path, 'written', async () => {
    await mkdir(dirname(path), { recursive: true })
    if (mayReplace) return replaceFile(path, text)
    await writeFile(path, text, { flag: 'wx' }).catch(async (error: unknown) => {
      if (failedWith(error, 'EEXIST')) throw isTaken(path)
      // Removes an incomplete file, if the disk is full.
      await rm(path, { force: true })
      throw error
    })
  })
}

async function replaceFile(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`
  try {
    await writeFile(partial, text)
    await renameFile(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

function isTaken(path: string): CatalogueError {
  return new CatalogueError('OUTPUT_REFUSED', `${path}: expected no file of this name, got one`, {
    title: 'A file is there already',
    outputs: 'Nothing was written.',
    fix: 'Choose another name with `--to FILE`, or replace it with `--force`.',
  })
}

function nothingNamed(): CatalogueError {
  const message = 'expected an export or an endpoint, got neither, and no terminal to ask in'
  return usage(
    message,
    '`catalogue-etl init export.ndjson` for a file, `catalogue-etl init v4/products` for the service.',
  )
}

function notAConfig(file: string): CatalogueError {
  const fix = `\`catalogue-etl check ${file}\` looks for mistakes in it, \`catalogue-etl run ${file}\` runs it.`
  return usage(`${file}: expected an export or an endpoint, got a config`, fix)
}

function usage(message: string, fix?: string): CatalogueError {
  return new CatalogueError('USAGE', message, { fix: fix ?? 'See `catalogue-etl init --help`.' })
}
