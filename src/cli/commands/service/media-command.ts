import { InvalidArgumentError } from 'commander'
import { downloadMedia, previewMedia, type MediaPreview } from '../../../media/download-media.ts'
import type { MediaCounts } from '../../../media/download-files.ts'
import { redactAddress } from '../../../media/media-entry.ts'
import type { MediaManifest } from '../../../media/media-manifest.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option, required } from '../../parameter.ts'
import { listUnapplied } from '../../render/list-unapplied.ts'
import { createProgress } from '../../progress/progress.ts'
import { row } from '../../render/render-report.ts'
import { type Colors, colorsFor, logEvent, print, type Terminal, writeJson } from '../../terminal.ts'
import { fromOption, logOption, quietOption, settingOptions, toCount, wait } from '../../shared-options.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'
import { formatMegabytes } from '../../../text/format-size.ts'

const options = {
  ...settingOptions,
  ...fromOption,
  ...logOption,
  to: required(option('<dir>', 'the folder, with _media.json and _media.ndjson, which list every file')),
  format: option('<name...>', 'sizes of images, such as large or hugeWebp'),
  userAgent: option('<text>', 'who downloads, such as "shop-images/1.0 (it@example.com)"', toText),
  concurrency: option('<n>', 'files at the same time', toCount),
  allowPrivate: flag('files may come from private and local addresses'),
  limit: option('<n>', 'read only the first lines of the source: a sample', toCount),
  dryRun: flag('only count what would be downloaded'),
  wait: wait('wait for another download into the folder to end, 10m at most for instance'),
  json: flag('write the manifest as JSON to standard output'),
  ...quietOption,
}

type Options = InputOf<typeof options>

export const mediaCommand = defineCommand({
  description:
    'Downloads photos, frontals or leaflets: the files behind those of a pipeline, into a folder, each once.',
  otherNames: ['images', 'photos'],
  arguments: {
    config: argument('<config>', 'a YAML, JSON, .ts or .js file; its section media says which files'),
  },
  options,
  examples: [
    'catalogue-etl media pipelines/images.yaml --to images',
    "catalogue-etl media pipelines/products.yaml --to images --format largeWebp --user-agent 'shop-images/1.0'",
  ],
  after: 'Exit codes are those of run; 3 also where more files are missing than media.maxMissing allows.',
  async run({ config, ...input }, terminal) {
    const { to, dryRun, quiet, json } = input
    const set = [...(input.set ?? []), ...toSettings(input)]
    const needs = { needsService: true, needsDatabases: false, needsMedia: true }
    const loaded = await loadPlan(config, { ...input, ...needs, set }, terminal)
    const { plan, env } = loaded
    for (const note of await listUnapplied(loaded, input.from)) warn(terminal, plan.name, note)
    const progress = await createProgress(terminal, quiet === true)
    const { stdin, signal } = terminal
    const onWarning = (message: string) => warn(terminal, plan.name, message)
    const common = { ...input, stdin, signal, env, onWarning, onListProgress: progress.show.bind(progress) }
    if (dryRun === true) {
      const preview = await previewMedia(plan, common).finally(() => progress.stop())
      if (json) writeJson(terminal, { ok: true, dryRun: true, to, ...preview, examples: undefined })
      else print(terminal, renderPreview(plan.name, preview, colorsFor(terminal.stdout, terminal.env)))
      return
    }
    const onProgress = (counts: Readonly<MediaCounts>) => progress.show(toProgress(plan.name, counts))
    const manifest = await downloadMedia(plan, { ...common, onProgress }).finally(() => progress.stop())
    if (!quiet) logMedia(input, manifest, terminal)
    if (json) writeJson(terminal, { ok: true, to, media: manifest })
  },
})

/** Converts the command's options to settings of the config, so that one check covers both. */
function toSettings({ format: formats, userAgent, concurrency, allowPrivate }: Options): string[] {
  return [
    ...(formats === undefined ? [] : [`media.formats=${JSON.stringify(formats)}`]),
    ...(userAgent === undefined ? [] : [`media.userAgent=${JSON.stringify(userAgent)}`]),
    ...(concurrency === undefined ? [] : [`media.concurrency=${concurrency}`]),
    ...(allowPrivate === undefined ? [] : ['media.allowPrivate=true']),
  ]
}

function toText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a text.')
  return text
}

function warn(terminal: Terminal, name: string, text: string): void {
  const message = `${name}: ${text}`
  logEvent(terminal, { level: 'warn', event: 'media.warning', message, pipeline: name }, () => message)
}

function toProgress(name: string, counts: Readonly<MediaCounts>) {
  const { bytes, downloaded, unchanged, resumed, copied, stale, missing } = counts
  const lines = downloaded + unchanged + resumed + copied + stale + missing
  return { pipeline: name, lines, bytes, total: null, unit: 'files' }
}

function logMedia(asked: Asked, manifest: MediaManifest, terminal: Terminal): void {
  const { to } = asked
  const { pipeline, files, entries } = manifest
  const message = `${pipeline}: ${files['downloaded'] ?? 0} files downloaded into ${to}`
  const facts = { pipeline, to, ...files, reasons: entries.reasons }
  logEvent(terminal, { level: 'info', event: 'media.published', message, ...facts }, () =>
    renderMedia(asked, manifest, colorsFor(terminal.stderr, terminal.env)),
  )
}

type Asked = Pick<Options, 'to' | 'limit'>

function renderMedia({ to, limit }: Asked, manifest: MediaManifest, colors: Colors): string {
  const { pipeline, startedAt, finishedAt, files, entries, list, removed } = manifest
  const seconds = ((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000).toFixed(2)
  const parts = Object.entries(files).filter(([name, count]) => !['files', 'bytes'].includes(name) && count > 0)
  const counts = parts.map(([name, count]) => `${formatCount(count)} ${name}`).join(', ')
  const reasons = Object.entries(entries.reasons).map(([reason, count]) => `${formatCount(count)} ${reason}`)
  const completeness = limit === undefined ? list.completeness : `a sample (limit ${formatCount(limit)})`
  return [
    `${colors.green(colors.bold(pipeline))}  media in ${seconds} s (${formatMegabytes(files['bytes'] ?? 0)} downloaded)`,
    row('records', `${countOf(list.lines, 'line')}, ${completeness}, ${formatCount(list.rejected)} rejected`),
    row('files', `${formatCount(files['files'] ?? 0)}${counts === '' ? '' : `: ${counts}`}`),
    ...(reasons.length === 0 ? [] : [row('not had', colors.yellow(reasons.join(', ')))]),
    ...(removed === 0 ? [] : [row('removed', `${formatCount(removed)} of earlier downloads`)]),
    row('manifest', `${to}/_media.json, ${formatCount(entries.lines)} lines in _media.ndjson`),
  ].join('\n')
}

function renderPreview(name: string, preview: MediaPreview, colors: Colors): string {
  const { files, there, withoutAddress, refusedAddress, examples } = preview
  const refused = `${formatCount(refusedAddress)} would be: private addresses need --allow-private`
  return [
    `${colors.bold(name)}  ${formatCount(files)} files would be requested`,
    row('there', `${formatCount(there)}, requested on the condition that they have changed`),
    ...(withoutAddress === 0 ? [] : [row('not had', `${formatCount(withoutAddress)} no-address`)]),
    ...(refusedAddress === 0 ? [] : [row('refused', colors.yellow(refused))]),
    ...examples.map(({ url }) => row('', redactAddress(url ?? ''))),
  ].join('\n')
}
