import { readdir } from 'node:fs/promises'
import * as prompts from '@clack/prompts'
import { endpoints } from '../service/endpoints/endpoints.ts'
import type { ContractName } from '../contracts/contracts.ts'
import { interrupted } from '../errors.ts'
import { listReadable } from '../describe/init/choose-endpoint.ts'
import { keepsOwnState } from '../config/schemas/output-schema.ts'
import { listFormats, usualLocales, type ConfigDraft, type OutputFormat } from '../describe/init/config-draft.ts'
import { formatNames } from '../describe/init/draft-for-files.ts'
import { isExport, namesConfig } from '../describe/init/is-export.ts'
import { listTables } from '../describe/init/list-tables.ts'
import { escapeControls } from '../text/escape-controls.ts'
import type { Terminal } from './terminal.ts'

/** The questions of `init`. Each throws INTERRUPTED on Ctrl-C or Escape. */
export interface Questions {
  /** Asks for a file or an endpoint; resolves with the same as command-line arguments. */
  readonly askSource: () => Promise<readonly string[]>
  readonly askContract: (path: string, candidates: readonly ContractName[]) => Promise<ContractName>
  readonly askChoices: (draft: ConfigDraft) => Promise<ConfigDraft>
}

/** True if a person at the terminal can see a question and answer it. */
export function canAsk({ stdin, stderr, env }: Terminal): boolean {
  return 'isTTY' in stdin && stdin.isTTY === true && stderr.isTTY === true && env['TERM'] !== 'dumb'
}

export function createQuestions({ stdin, stderr, signal }: Terminal): Questions {
  const io = { input: stdin, output: stderr, signal }
  return {
    askSource: () => askSource(io),
    askContract: (path, candidates) =>
      select({
        ...io,
        message: `${escapeControls(path)}: its fields are those of several contracts. Which one is it?`,
        options: candidates.map((value) => ({ value, label: value })),
      }),
    askChoices: (draft) => askChoices(draft, io),
  }
}

type Streams = Required<Pick<prompts.CommonOptions, 'input' | 'output' | 'signal'>>

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

interface Question<Value extends string> extends Streams {
  readonly message: string
  readonly options: readonly Choice<Value>[]
}

async function askSource(io: Streams): Promise<readonly string[]> {
  const files = await listExports()
  const source = await select({
    ...io,
    message: 'What should the pipeline read?',
    options: [
      ...files.map((file) => ({ value: `file ${file}`, label: escapeControls(file) })),
      { value: 'other', label: files.length === 0 ? 'A file' : 'Another file', hint: 'an export, NDJSON or JSON' },
      { value: 'service', label: 'An endpoint of the service' },
    ],
  })
  if (source === 'service') return [await askEndpoint(io)]
  return [source === 'other' ? await askPath(io) : source.slice('file '.length)]
}

async function askPath(io: Streams): Promise<string> {
  return answered(
    await prompts.text({ ...io, message: 'Which file?', placeholder: 'data/export.ndjson.gz', validate: checkPath }),
  )
}

function checkPath(text = ''): string | undefined {
  return text.trim() === '' ? 'Expected the path of a file' : undefined
}

function askEndpoint(io: Streams): Promise<string> {
  const options = listReadable().map((value) => ({ value, label: value, hint: endpoints[value].read }))
  return select({ ...io, message: 'Which endpoint?', options })
}

const mostFiles = 20

async function listExports(): Promise<string[]> {
  const names = await readdir('.').catch(() => [])
  const found: string[] = []
  for (const name of names.toSorted((a, b) => a.localeCompare(b))) {
    if (found.length === mostFiles) break
    if (/\.(?:ndjson|jsonl|json)(?:\.gz)?$/i.test(name) && !namesConfig(name) && (await isExport(name)))
      found.push(name)
  }
  return found
}

async function askChoices(draft: ConfigDraft, io: Streams): Promise<ConfigDraft> {
  const tables = await askTables(draft, io)
  const locales = await askLocales(draft, io)
  const outputs = await askOutputs('Which outputs?', draft, io)
  return { ...draft, tables, locales, outputs }
}

/** Repeats the question if a config with these outputs would have a problem. */
async function askOutputs(message: string, draft: ConfigDraft, io: Streams): Promise<readonly OutputFormat[]> {
  const options = listFormats(draft.contract).map((value) => ({
    value,
    label: formatNames[value],
    ...outputHints[value],
  }))
  const outputs = await askSeveral({ ...io, message, options }, draft.outputs)
  const isMixed = outputs.includes('xlsx') && outputs.some(keepsOwnState)
  return isMixed ? askOutputs('Which outputs? A workbook needs a config without a database.', draft, io) : outputs
}

const outputHints: Readonly<Partial<Record<string, { readonly hint: string }>>> = {
  duckdb: { hint: 'needs npm install @duckdb/node-api' },
  delta: { hint: 'for lakes; needs npm install @duckdb/node-api' },
  postgres: { hint: 'its address in DATABASE_URL' },
}

async function askTables({ contract, source, tables }: ConfigDraft, io: Streams): Promise<ConfigDraft['tables']> {
  const all = listTables(contract)
  if (all.length === 1) return tables
  const elements = source.kind === 'files' ? source.survey.elements : null
  const options = all.map(({ name, each }) => {
    const isEmpty = elements !== null && each !== null && (elements.get(each) ?? 0) === 0
    return { value: name, label: name, hint: isEmpty ? `${each}, none in what was read` : (each ?? 'a row a record') }
  })
  const chosen = await askSeveral(
    { ...io, message: 'Which tables? (a: all or none)', options },
    tables.map(({ name }) => name),
  )
  return all.filter(({ name }) => chosen.includes(name))
}

async function askLocales({ source, locales }: ConfigDraft, io: Streams): Promise<readonly string[]> {
  const found = source.kind === 'files' ? source.survey.locales : [...usualLocales, 'de']
  if (locales.length === 0 || found.length < 2) return locales
  const options = found.map((value) => ({ value, label: value }))
  return askSeveral({ ...io, message: 'Which locales? Each becomes a column.', options }, locales)
}

/** Throws INTERRUPTED. Answers are in the order of the options. */
async function askSeveral<Value extends string>(
  { message, options, ...io }: Question<Value>,
  initialValues: readonly Value[],
): Promise<Value[]> {
  const settings = { ...io, message, options: fitHints(options, io), initialValues: [...initialValues], required: true }
  const chosen = answered(await prompts.multiselect<string>(settings))
  return options.map(({ value }) => value).filter((value) => chosen.includes(value))
}

async function select<Value extends string>({ message, options, ...io }: Question<Value>): Promise<Value> {
  const chosen = answered(await prompts.select<string>({ ...io, message, options: fitHints(options, io) }))
  return options.find(({ value }) => value === chosen)?.value ?? (chosen as Value)
}

/** Drops the hints on a terminal where most choices would take two lines with them. */
function fitHints<Value extends string>(
  options: readonly Choice<Value>[],
  { output }: Pick<Streams, 'output'>,
): Choice<Value>[] {
  const columns = 'columns' in output ? Number(output.columns) : 80
  if (columns >= roomForHints) return [...options]
  return options.map(({ value, label }) => ({ value, label }))
}

const roomForHints = 60

function answered<Value>(answer: Value | typeof prompts.CANCEL_SYMBOL): Value {
  if (!prompts.isCancel(answer)) return answer
  throw interrupted('init', {
    where: ' before its questions were answered',
    title: 'init was interrupted',
    outputs: 'Nothing was written.',
    fix: 'Run it again; `--yes` asks nothing and takes the defaults.',
  })
}
