import { expect, test } from 'vitest'
import { PageCommands } from './page-commands.ts'

test('the three commands of the page do what it says', async () => {
  const page = await PageCommands.read('scale-out.md', '## How files are divided')
  expect(page.blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(4)
  expect(await page.findWrong()).toBeNull()
}, 120_000)
