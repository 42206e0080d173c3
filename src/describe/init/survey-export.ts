import { chooseContract } from '../../contracts/choose-contract.ts'
import { contracts, isContractName, suits, type ContractName } from '../../contracts/contracts.ts'
import { recognizeContract, type RecognizedContracts } from '../../contracts/recognize-contract.ts'
import { CatalogueError } from '../../errors.ts'
import { listChoices } from '../../text/choices.ts'
import { isLocaleCode, specLocales } from '../../plan/locales.ts'
import { toSnakeCase } from '../../plan/records/plan-columns.ts'
import { notRecognized, readBeginning } from '../../plan/source/recognize-export.ts'
import type { RequiredContext, RunContext } from '../../run-context.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { findFiles } from '../../sources/find-files.ts'
import type { ExportBeginning } from '../../sources/first-records.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import { surveyRecords } from './survey-records.ts'

/** Facts from the beginning of one export, in one or several files. */
export interface ExportSurvey {
  readonly files: readonly string[]
  readonly hasSeveral: boolean
  /** The files form one stream: the record indexes of one continue those of another. */
  readonly areParts: boolean
  readonly contract: ContractName
  /** How the contract was determined, for people. */
  readonly reason: string
  readonly records: number
  /** True if the files have no further records. */
  readonly isWhole: boolean
  /** Locales of the specification first, then others by frequency. */
  readonly locales: readonly string[]
  readonly elements: ReadonlyMap<string, number>
}

export interface SurveyOptions extends RequiredContext<'signal'>, Pick<RunContext, 'env'> {
  readonly contract?: ContractName | undefined
  /** Chooses among contracts that the records fit; without it, ambiguity is an error. */
  readonly chooseContract?: (path: string, candidates: readonly ContractName[]) => Promise<ContractName>
}

const mostRecords = 1000
const mostBytes = 16 * 1024 * 1024
const fewestRecords = 20

/**
 * Surveys the beginning of exports: NDJSON or JSON, with or without envelopes, gzipped or not. Throws SOURCE_NOT_FOUND
 * if there is no file, CONFIG_INVALID if the records have several contracts or none, and whatever reading throws.
 */
export async function surveyExport(files: readonly string[], options: SurveyOptions): Promise<ExportSurvey> {
  const { signal, env = process.env } = options
  const found = await withObjects(env, (objects) => findFiles(files, objects))
  if (found.includes('-')) throw notFromInput()
  const most = Math.max(fewestRecords, Math.floor(mostRecords / found.length))
  const beginnings: OpenedFile[] = []
  for (const path of found)
    beginnings.push({
      path,
      ...(await readBeginning(path, { signal, env, most, mostBytes: mostBytes / found.length })),
    })
  const { contract, reason } = await findContract(beginnings, options)
  const records = beginnings.flatMap((file) => file.records.map(({ record }) => record))
  const { locales, elements } = surveyRecords(records, contracts[contract].fields)
  return {
    files,
    hasSeveral: found.length > 1,
    areParts: areParts(beginnings),
    contract,
    reason,
    records: records.length,
    isWhole: beginnings.every(({ isWhole }) => isWhole),
    locales: listLocales(locales),
    elements,
  }
}

interface OpenedFile extends ExportBeginning {
  readonly path: string
}

interface FoundContract {
  readonly contract: ContractName
  readonly reason: string
}

/** The contract of the first file with records. Throws if another file's records differ. */
async function findContract(files: readonly OpenedFile[], options: SurveyOptions): Promise<FoundContract> {
  if (options.contract !== undefined) return { contract: options.contract, reason: 'as --contract says' }
  const filled = files.filter(({ records }) => records.length > 0)
  const [first, ...others] = filled.length === 0 ? files : filled
  if (first === undefined) throw new TypeError('expected one file or more')
  const found = await recognizeFile(first, options)
  for (const other of others) await checkSame(other, first, found.contract, options)
  return found
}

async function recognizeFile(file: OpenedFile, { chooseContract: ask, env }: SurveyOptions): Promise<FoundContract> {
  const landed = await readLanded(file.path, env)
  if (landed !== null) return landed
  const { recognized, records } = recognize(file)
  const { candidates, known } = recognized
  const [best] = candidates
  if (best === undefined) throw notRecognized(file.path, records, recognized)
  const fields = `recognized by ${known} of its fields in the first ${records.length} records`
  if (candidates.length === 1) return { contract: best, reason: fields }
  const named = chooseContract(candidates, file.path)
  if (named !== undefined) return { contract: named.contract, reason: `${fields}, ${named.reason}` }
  if (ask === undefined) throw notRecognized(file.path, records, recognized)
  return { contract: await ask(file.path, candidates), reason: 'as you said' }
}

async function readLanded(path: string, env: RunContext['env'] = process.env): Promise<FoundContract | null> {
  const landing = await withObjects(env, (objects) => readLanding(path, objects))
  if (landing === null || !isContractName(landing.contract.name)) return null
  return { contract: landing.contract.name, reason: `landed from ${landing.endpoint}` }
}

/** Number of records compared with every contract: enough to meet rare fields. */
const mostCompared = 100

function recognize({ records }: OpenedFile): { recognized: RecognizedContracts; records: readonly unknown[] } {
  const compared = records.slice(0, mostCompared).map(({ record }) => record)
  return { recognized: recognizeContract(compared), records: compared }
}

const readsBoth =
  'Say `--contract product`, which reads the products of both versions into one set of columns, or name them in calls of their own.'

async function checkSame(
  file: OpenedFile,
  first: OpenedFile,
  contract: ContractName,
  { env }: SurveyOptions,
): Promise<void> {
  const landed = await readLanded(file.path, env)
  const candidates = landed === null ? recognize(file).recognized.candidates : [landed.contract]
  if (candidates.includes(contract)) return
  const got = candidates.length === 0 ? 'records of no contract' : listChoices(candidates)
  throw new CatalogueError('CONFIG_INVALID', `${file.path}: expected ${contract}, as in ${first.path}, got ${got}`, {
    title: 'The files hold records of several contracts',
    fix:
      suits('product', contract) && candidates.some((name) => suits('product', name))
        ? readsBoth
        : 'Name files with the same records together, and the others in a call of their own.',
  })
}

/** All files but one begin with an index above 0. */
function areParts(files: readonly OpenedFile[]): boolean {
  const first = files.flatMap(({ records }) => records[0]?.index ?? [])
  return (
    files.length > 1 && first.length === files.length && first.filter((index) => index > 0).length >= files.length - 1
  )
}

/** Lists locales that become columns: those of the specification in its order, then others by frequency. */
function listLocales(counts: ReadonlyMap<string, number>): string[] {
  const codes = [...counts.keys()].filter(isLocaleCode).toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const usual = specLocales.filter((locale) => counts.has(locale))
  const ordered = [...usual, ...codes]
  // `en_AU` and `en-au` would give columns of one name.
  const names = ordered.map(toSnakeCase)
  return ordered.filter((_, at) => names.indexOf(names[at] ?? '') === at)
}

function notFromInput(): CatalogueError {
  return new CatalogueError('USAGE', '-: expected a file, got standard input, which can be read only once', {
    fix: 'Save it to a file first; or write a config with `source: { files: "-", contract: … }`.',
  })
}
