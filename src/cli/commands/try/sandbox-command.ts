import { InvalidArgumentError } from 'commander'
import { exitCodes } from '../../../errors.ts'
import { parseInjection, type InjectOptions } from '../../../sandbox/server/fault-queue.ts'
import { sandboxKey, startSandbox, type Sandbox } from '../../../sandbox/start-sandbox.ts'
import { defineCommand } from '../../command.ts'
import { argument, flag, option, withDefault } from '../../parameter.ts'
import { log, writeJson } from '../../terminal.ts'
import { toCount, toDurationMs } from '../../shared-options.ts'
import { demoCommand } from './demo-command.ts'
import { dialect } from './dialect-option.ts'
import { generateCommand } from './generate-command.ts'
import { runBeside, waitForEnd } from './sandbox-end.ts'
import { formatCount } from '../../../text/format-count.ts'

/** Runs until the process is asked to stop, which is its normal end, or until a command beside it ends. */
export const sandboxCommand = defineCommand({
  description: 'Starts a local stand-in of the service over generated data: no account, no network.',
  otherNames: ['serve', 'server', 'mock'],
  arguments: {
    command: argument('[command...]', 'after --: a command that runs beside the sandbox, which ends with it'),
  },
  options: {
    products: withDefault(option('<n>', 'how many products', toCount), 5000),
    seed: withDefault(option('<n>', 'a different seed gives a different catalogue', toCount), 1),
    port: withDefault(option('<n>', 'the port on 127.0.0.1; 0 takes any that is free', toPort), 0),
    keyId: withDefault(option('<id>', 'the API key id that is accepted'), sandboxKey.keyId),
    keySecret: withDefault(option('<secret>', 'its secret'), sandboxKey.keySecret),
    rateLimit: withDefault(option<number | false>('<n>', 'requests a minute', toCount), 100),
    noRateLimit: flag('any number of requests a minute'),
    fault: option(
      '<fault>',
      "'v4/products/stream cut=120': a failure that happens once, 'cut=120 x3' three times (repeatable)",
      (text, earlier: readonly InjectOptions[] = []) => [...earlier, parseInjection(text)],
    ),
    days: withDefault(option('<n>', 'how many days of changes to the products have passed', toDays), 0),
    images: flag('serve photos and leaflets too, at the addresses in the records'),
    dialect,
    for: option('<duration>', 'ends by itself after 90s, 10m, 1h', toDurationMs),
    json: flag('write the address as JSON'),
  },
  examples: [
    'catalogue-etl sandbox --products 20000 --port 8080',
    "catalogue-etl sandbox --port 8080 --fault 'v4/products/stream cut=120' --fault '429x3,retry-after=5'",
    'catalogue-etl sandbox --port 8080 --days 30',
    'catalogue-etl sandbox --dialect loose -- catalogue-etl run pipelines/products.yaml',
  ],
  after: 'docs/sandbox.md lists every fault.',
  commands: { demo: demoCommand, generate: generateCommand },
  async run({ command, fault: faults = [], images, for: forMs, json, ...options }, terminal) {
    const sandbox = await startSandbox({ ...options, ...(images && { images }), warmUp: true })
    for (const fault of faults) sandbox.inject(fault)
    try {
      if (command.length > 0) {
        log(terminal, `The sandbox serves at ${sandbox.baseUrl} until the command ends.`)
        return await runBeside(command, toVariables(sandbox), terminal)
      }
      if (json) writeJson(terminal, { baseUrl: sandbox.baseUrl, keyId: sandbox.keyId })
      else terminal.stdout.write(`${sandbox.baseUrl}\n`)
      log(terminal, renderInvitation(sandbox, options.products))
      const end = await waitForEnd(terminal, { forMs, parentId: () => process.ppid })
      if (end === 'npx') log(terminal, 'The sandbox ends: the npx that started it is gone.')
      return exitCodes.published
    } finally {
      await sandbox.close()
    }
  },
})

function toVariables({ baseUrl, keyId, keySecret }: Sandbox) {
  return { CATALOGUE_URL: baseUrl, CATALOGUE_KEY_ID: keyId, CATALOGUE_KEY_SECRET: keySecret }
}

/** Commands to try with the sandbox. Hides a secret other than the default. */
function renderInvitation({ baseUrl, keyId, keySecret }: Sandbox, products: number): string {
  const secret = keySecret === sandboxKey.keySecret ? keySecret : '<API_KEY_SECRET>'
  const body = `'{"filter":{"status":"active"},"sorting":{"id":"ASC"}}'`
  return [
    `The sandbox serves ${formatCount(products)} products; Ctrl-C stops it. Try:`,
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
