import { Command, InvalidArgumentError, Option } from 'commander'
import { exitCodes } from '../../errors.ts'
import { dialectNames, type DialectName } from '../../sandbox/dialect/dialect.ts'
import { parseInjection, type InjectOptions } from '../../sandbox/server/fault-queue.ts'
import { sandboxKey, startSandbox, type Sandbox } from '../../sandbox/start-sandbox.ts'
import { log, writeJson, type Finish, type Terminal } from '../terminal.ts'
import { toCount, toDurationMs } from './command-options.ts'
import { runBeside, waitForEnd } from './sandbox-end.ts'

interface SandboxCommandOptions {
  readonly products: number
  readonly seed: number
  readonly port: number
  readonly keyId: string
  readonly keySecret: string
  readonly rateLimit: number | false
  readonly days: number
  readonly dialect: DialectName
  readonly images?: true
  readonly fault?: readonly InjectOptions[]
  readonly for?: number
  readonly json?: true
}

/** Runs until the process is asked to stop, which is how it is meant to end, or beside a command of one's own. */
export function createSandboxCommand(terminal: Terminal, finish: Finish): Command {
  return new Command('sandbox')
    .description('Starts a local stand-in of the service over generated data: no account, no network.')
    .option('--products <n>', 'how many products', toCount, 5000)
    .option('--seed <n>', 'a different seed gives a different catalogue', toCount, 1)
    .option('--port <n>', 'the port on 127.0.0.1; 0 takes any that is free', toPort, 0)
    .option('--key-id <id>', 'the API key id that is accepted', sandboxKey.keyId)
    .option('--key-secret <secret>', 'its secret', sandboxKey.keySecret)
    .option('--rate-limit <n>', 'requests a minute', toCount, 100)
    .option('--no-rate-limit', 'any number of requests a minute')
    .option(
      '--fault <fault>',
      "'v4/products/stream cut=120': a failure that happens once, 'cut=120 x3' three times (repeatable)",
      (text, earlier?: readonly InjectOptions[]) => [...(earlier ?? []), parseInjection(text)],
    )
    .option('--days <n>', 'how many days of changes to the products have passed', toDays, 0)
    .option('--images', 'serve photos and leaflets too, at the addresses in the records')
    .addOption(dialectOption())
    .option('--for <duration>', 'ends by itself after 90s, 10m, 1h', toDurationMs)
    .option('--json', 'write the address as JSON')
    .argument('[command...]', 'after --: a command that runs beside the sandbox, which ends with it')
    .addHelpText('after', sandboxHelp)
    .action(async (command: readonly string[], { fault: faults = [], ...options }: SandboxCommandOptions) => {
      const sandbox = await startSandbox({ ...options, warmUp: true })
      for (const fault of faults) sandbox.inject(fault)
      try {
        if (command.length > 0) {
          log(terminal, `The sandbox serves at ${sandbox.baseUrl} until the command ends.`)
          finish(await runBeside(command, toVariables(sandbox), terminal))
        } else await serve(sandbox, options, terminal, finish)
      } finally {
        await sandbox.close()
      }
    })
}

async function serve(
  sandbox: Sandbox,
  options: SandboxCommandOptions,
  terminal: Terminal,
  finish: Finish,
): Promise<void> {
  if (options.json) writeJson(terminal, { baseUrl: sandbox.baseUrl, keyId: sandbox.keyId })
  else terminal.stdout.write(`${sandbox.baseUrl}\n`)
  log(terminal, renderInvitation(sandbox, options.products))
  const end = await waitForEnd(terminal, { forMs: options.for, parentId: () => process.ppid })
  if (end === 'npx') log(terminal, 'The sandbox ends: the npx that started it is gone.')
  finish(exitCodes.published)
}

/** The variables that the configs of `pipelines/` read. */
function toVariables({ baseUrl, keyId, keySecret }: Sandbox) {
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
}

/** The option of the commands that make data. */
export function dialectOption(): Option {
  const help = 'documented, or loose: as answers have been seen where the specification is silent'
  return new Option('--dialect <name>', help).choices(dialectNames).default('documented')
}

const sandboxHelp = `
Example:
  $ catalogue-etl sandbox --products 20000 --port 8080
  $ catalogue-etl sandbox --port 8080 --fault 'v4/products/stream cut=120' --fault '429x3,retry-after=5'
  $ catalogue-etl sandbox --port 8080 --days 30
  $ catalogue-etl sandbox --dialect loose -- catalogue-etl run pipelines/products.yaml

docs/sandbox.md lists every fault.`

/** Commands to try with it. A secret of somebody's own is not printed. */
function renderInvitation({ baseUrl, keyId, keySecret }: Sandbox, products: number): string {
  const secret = keySecret === sandboxKey.keySecret ? keySecret : '<API_KEY_SECRET>'
  const body = `'{"filter":{"status":"active"},"sorting":{"id":"ASC"}}'`
  return [
    `The sandbox serves ${products.toLocaleString('en')} products; Ctrl-C stops it. Try:`,
    `  CATALOGUE_URL=${baseUrl} CATALOGUE_KEY_ID=${keyId} CATALOGUE_KEY_SECRET=${secret} catalogue-etl run pipelines/products.yaml`,
    `  curl -u ${keyId}:${secret} ${baseUrl}/v4/products/stream -H 'Content-Type: application/json' -d ${body}`,
  ].join('\n')
}

function toDays(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 366) throw new InvalidArgumentError('Expected days, 0 to 366.')
  return Number(text)
}

function toPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Expected a port, 0 to 65535.')
  return port
}
