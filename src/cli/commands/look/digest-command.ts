import { CatalogueError } from '../../../errors.ts'
import type { Digest } from '../../../inspect/digest/digest-schema.ts'
import { makeDigest } from '../../../inspect/digest/digest.ts'
import { renderHtml } from '../../../inspect/digest/render-html.ts'
import { renderMarkdown } from '../../../inspect/digest/render-markdown.ts'
import { writeWholeFile } from '../../../engine/whole-file.ts'
import { formatJson } from '../../../types/json-text.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, option, required, withDefault } from '../../parameter.ts'
import { configOptions, toCount } from '../../shared-options.ts'
import { logEvent, type Terminal } from '../../terminal.ts'

const forms = ['md', 'html', 'xlsx', 'json'] as const

export const digestCommand = defineCommand({
  description:
    'Lists what changed in the products since a day or a run: prices up and down, new, withdrawn and replaced products by brand, ready to mail. Only reads.',
  otherNames: ['news', 'summary', 'newsletter', 'mail'],
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file of a pipeline that keeps changes') },
  options: {
    ...configOptions,
    since: required(option('<when>', 'a span such as 7d or 24h, a day or time, a run, or the folder of a copied run')),
    as: choice('<form>', 'md (Markdown), html, xlsx or json; by default what --to ends in, else md', forms),
    to: option('<file>', 'write there in place of standard output; xlsx needs it'),
    most: withDefault(option('<n>', 'entries in md and html; xlsx and json have all', toCount), 1000),
  },
  before: `A pipeline keeps changes with an output \`{ format: parquet, path: 'out/{pipeline}/changes/{table}.parquet',
mode: changes }\`, or with \`mode: history\`. Products are compared as they were then and are now: several changes are one.`,
  examples: [
    'catalogue-etl digest pipelines/products.yaml --since 7d --as html --to digest.html',
    'catalogue-etl digest products.yaml --since 2026-01-31 --as xlsx --to digest.xlsx',
    'catalogue-etl digest products.yaml --since products-last-week --as json',
  ],
  async run({ config, since, as: asked, to, most, ...options }, terminal) {
    const as = chooseForm(asked, to)
    if (as === 'xlsx' && to === undefined)
      throw new CatalogueError('USAGE', '--as xlsx: expected a file to write, got none', {
        fix: 'Name one: `--to digest.xlsx`.',
      })
    const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
    const digest = await makeDigest(plan, { since, to, env, signal: terminal.signal, now: Date.now })
    // At a terminal the text of the digest says them.
    const isShown = to === undefined && as === 'md' && terminal.stdout.isTTY === true
    for (const message of isShown ? [] : digest.notes)
      logEvent(terminal, { level: 'info', event: 'digest.note', message }, () => message)
    await write(digest, { as, to, most }, terminal)
  },
})

/** The form that the name of the file says. Throws USAGE if another one is asked for, as no program would open it. */
function chooseForm(asked: Form | undefined, to: string | undefined): Form {
  const [, extension = ''] = /\.(\w+)$/.exec(to ?? '') ?? []
  const named = forms.find((form) => form === extension.toLowerCase())
  if (asked === undefined || named === undefined || asked === named) return asked ?? named ?? 'md'
  throw new CatalogueError('USAGE', `--as ${asked}: expected a file that ends in .${asked}, got --to ${to}`)
}

type Form = (typeof forms)[number]

interface Writing {
  readonly as: Form
  readonly to: string | undefined
  readonly most: number
}

async function write(digest: Digest, { as, to, most }: Writing, terminal: Terminal): Promise<void> {
  if (as === 'xlsx') {
    const { writeDigestWorkbook } = await import('../../../inspect/digest/digest-workbook.ts')
    return writeDigestWorkbook(to ?? '', digest)
  }
  const text =
    as === 'json' ? `${formatJson(digest)}\n` : as === 'html' ? renderHtml(digest, most) : renderMarkdown(digest, most)
  if (to === undefined) terminal.stdout.write(text)
  else await writeWholeFile(to, false, async (file) => file.write(Buffer.from(text)))
}
