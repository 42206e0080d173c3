import { Command, InvalidArgumentError, Option } from 'commander'
import { closest } from '../../messages/choices.ts'
import { listChoices } from '../../messages/choices.ts'
import { formatSuggestion } from '../../messages/choices.ts'
import { contractNames, isContractName, type ContractName } from '../../contracts/contracts.ts'
import { generateDocument, generateLines } from '../../sandbox/data/generate-lines.ts'
import { say, type Terminal } from '../terminal.ts'
import { toCount } from './to-count.ts'
import { writeChunksToFile, writeChunksToStdout } from './write-chunks.ts'

interface GenerateOptions {
  readonly contract: ContractName
  readonly records: number
  readonly seed: number
  readonly bare?: true
  readonly document?: true
  readonly to?: string
}

export function createGenerateCommand(terminal: Terminal): Command {
  return new Command('generate')
    .description('Writes generated data: a stream or export of any size, the same bytes for the same seed.')
    .addOption(contractOption())
    .option('--records <n>', 'how many records', toCount, 1000)
    .option('--seed <n>', 'a different seed gives different data', toCount, 1)
    .option('--bare', 'bare records, without the envelope of a stream')
    .option('--document', 'one JSON document, {"meta", "results"}, instead of lines')
    .option('--to <file>', 'write to a file, compressed if it ends in .gz; by default to standard output')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl generate --contract v3/product --records 50000 --to data/export.ndjson.gz',
    )
    .action((options: GenerateOptions) => generate(options, terminal))
}

/** One of the contracts; a name that is none gets the nearest one as a hint. */
function contractOption(): Option {
  return new Option('--contract <name>', 'what to generate')
    .choices(contractNames)
    .argParser((name) => {
      if (isContractName(name)) return name
      const suggestion = formatSuggestion(closest(name, contractNames))
      throw new InvalidArgumentError(`Expected one of ${listChoices(contractNames)}${suggestion}`)
    })
    .default('v4/product')
}

async function generate(options: GenerateOptions, terminal: Terminal): Promise<void> {
  const { contract, records, seed, bare, document, to } = options
  const chunks = document
    ? generateDocument({ contract, records, seed })
    : generateLines({ contract, records, seed, envelope: bare !== true })
  if (to === undefined) {
    await writeChunksToStdout(chunks, terminal)
    return
  }
  await writeChunksToFile(chunks, to, terminal.signal)
  say(terminal, `${records} records of ${contract} in ${to}`)
}
