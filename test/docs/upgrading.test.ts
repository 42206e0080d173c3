import { expect, test } from 'vitest'
import { PageCommands } from './page-commands.ts'

test('a script is replaced and a version tried beside another as docs/upgrading.md says', async () => {
  const page = await PageCommands.read('upgrading.md')
  expect(page.files.size).toBe(2)
  expect(await page.findWrong()).toBeNull()
}, 180_000)
