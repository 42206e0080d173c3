import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const contents = readFileSync(fileURLToPath(new URL('../pages/contents.md', import.meta.url)), 'utf8')

export default defineConfig({
  title: 'catalogue-etl',
  description: 'ETL pipelines for the Product Catalogue Data Service',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  ignoreDeadLinks: [(link) => existsSync(fileURLToPath(new URL(`../pages/public${link}`, import.meta.url)))],
  markdown: { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Cookbook', link: '/' },
      { text: 'Overview', link: '/overview' },
      { text: 'Reference', link: '/reference/README' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: [
      ...listGroups(contents),
      { text: 'Reference', items: [{ text: 'The library', link: '/reference/README' }] },
    ],
  },
})

/**
 * The groups of the page of contents: what is bold names one, the links after it are its items.
 * @param {string} markdown
 */
function listGroups(markdown) {
  const [list = ''] = markdown.split(/^## /m)
  const parts = list.split(/^\*\*(.+?)\*\*/m).slice(1)
  return parts.flatMap((text, at) => {
    if (at % 2 === 1) return []
    const links = [...(parts[at + 1] ?? '').matchAll(/\[([^\]]+)\]\(\.\/([^)#]+)\.md\)/g)]
    const items = links.map(([, name = '', page = '']) => ({ text: capitalize(name), link: `/${page}` }))
    return [{ text, collapsed: false, items }]
  })
}

/** @param {string} text */
function capitalize(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
