import { describe, expect, test } from 'vitest'
import { PageCommands } from './page-commands.ts'

const page = await PageCommands.read('questions.md')

describe('docs/questions.md', () => {
  test('every command of the page about questions does what the page says, in its order', async () => {
    expect(await page.findWrong()).toBeNull()
  }, 180_000)

  test('no line that the page about questions shows is wider than a terminal', () => {
    expect(page.shownLines.filter((line) => line.length > 90)).toEqual([])
  })
})
