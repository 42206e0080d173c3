import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/* The pages lead where they say: links, their anchors, and the paths of files in this repository. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
const pages = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'bench/README.md', 'fixtures/README.md', ...docs]
const texts = new Map(
  await Promise.all(pages.map(async (page) => [page, await readFile(join(root, page), 'utf8')] as const)),
)

test.each(pages)('every link of %s leads to a file, and its anchor to a heading', (page) => {
  const links = [...texts.get(page)!.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
  const broken = links.filter(([, file = '', anchor]) => {
    const target = file === '' ? page : join(dirname(page), file)
    return !existsSync(join(root, target)) || (anchor !== undefined && !listAnchors(target).includes(anchor))
  })
  expect(broken.map(([link]) => link)).toEqual([])
})

test.each(pages)('every path that %s names is in the repository', (page) => {
  const named = [
    ...texts.get(page)!.matchAll(/`((?:bench|build|docs|fixtures|pipelines|src|test|wasm)\/[^`\s*]*)(\*?)`/g),
  ]
  const missing = named.filter(([, path = '', star]) => !existsSync(join(root, star === '' ? path : dirname(path))))
  expect(missing.map(([, path]) => path).filter((path) => !writtenByBench.test(path ?? ''))).toEqual([])
})

const writtenByBench = /^bench\/data\//

test('the map of src/ in contributing.md has every folder', async () => {
  const entries = await readdir(join(root, 'src'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const mapped = [...texts.get('docs/contributing.md')!.matchAll(/^\| `([a-z]+)\/` /gm)].map(([, name]) => name)
  expect(new Set(mapped)).toEqual(new Set(folders))
})

/** The anchors of a page's headings, as GitHub makes them. */
function listAnchors(page: string): string[] {
  const headings = [...(texts.get(page) ?? '').matchAll(/^#+ (.*)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}
