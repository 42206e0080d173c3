import { expect, test } from 'vitest'
import { PageCommands } from './page-commands.ts'

const page = await PageCommands.read('rejects.md')

test('every command of the page on rejected lines does what the page says, in its order', async () => {
  expect(await page.findWrong()).toBeNull()
})

test('no line that the page on rejected lines shows is wider than a terminal', () => {
  expect(page.shownLines.filter((line) => line.length > 80)).toEqual([])
})
