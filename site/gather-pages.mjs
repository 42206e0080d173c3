/*
 * Gathers the pages of the site in pages/: those of docs/, and the few beside them, with links that lead to their new places.
 * What pages link to that is no page, such as recipes and schemas, is copied as it is.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = dirname(fileURLToPath(import.meta.url))
const root = join(site, '..')
const pages = join(site, 'pages')

/** Pages outside docs/, by their names on the site. */
const others = {
  'README.md': 'overview.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'bench/README.md': 'benchmark.md',
  'fixtures/README.md': 'fixtures.md',
}

const inDocs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'))
/** @type {ReadonlyMap<string, string>} */
const places = new Map([
  ...inDocs.map((name) => /** @type {const} */ ([`docs/${name}`, name === 'README.md' ? 'contents.md' : name])),
  ...Object.entries(others),
])

await rm(pages, { recursive: true, force: true })
await mkdir(join(pages, 'public'), { recursive: true })
for (const [from, to] of places) {
  const text = await readFile(join(root, from), 'utf8')
  await writeFile(join(pages, to), await moveLinks(text, from))
}
await writeFile(join(pages, 'index.md'), toFrontPage(await readFile(join(pages, 'analysts.md'), 'utf8')))

/**
 * Links of a page, with the places of pages on the site.
 * @param {string} text
 * @param {string} from
 */
async function moveLinks(text, from) {
  const links = /\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)/g
  const files = new Set()
  const moved = text.replaceAll(links, (_, path, anchor = '') => {
    const target = posix.join(posix.dirname(from), path)
    const place = places.get(target)
    if (place === undefined) files.add(target)
    return `](${place === undefined ? `/${target}` : `./${place}`}${anchor})`
  })
  for (const file of files) await cp(join(root, file), join(pages, 'public', file), { recursive: true })
  return moved
}

/**
 * The cookbook as the front page, below what this is.
 * @param {string} cookbook
 */
function toFrontPage(cookbook) {
  const [, ...rest] = cookbook.split('\n')
  return `---
title: catalogue-etl
---

# Exports in, tables out, nothing lost

catalogue-etl reads the exports and streams of the Product Catalogue Data Service, checks every line, and writes CSV, Parquet,
NDJSON and Excel files, databases and lakes: with proof that nothing is missing, and a reason for every line that was rejected.
The [overview](./overview.md) says how to install it. [All pages](./contents.md) by what you do; the
[reference of the library](./reference/README.md).

${rest.join('\n').trim()}
`
}
