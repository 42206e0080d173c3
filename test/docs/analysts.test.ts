import { describe, expect, test } from 'vitest'
import { PageCommands } from './page-commands.ts'
import { isDeep } from '../depth.ts'

const page = await PageCommands.read('analysts.md')
/** Its first tasks stand for the others. */
const followed = isDeep
  ? page
  : await PageCommands.read('analysts.md', '## Which is the best image of each product, in each language?')

describe('docs/analysts.md', () => {
  test('every command of the page for analysts does what the page says, in its order', async () => {
    expect(await followed.findWrong()).toBeNull()
  }, 180_000)

  test('each task of the page for analysts fits on a screen', () => {
    const tasks = page.text.split(/^## /m).slice(1)
    expect(tasks.map((task) => [task.split('\n')[0], task.split('\n').length < 75])).toEqual(
      tasks.map((task) => [task.split('\n')[0], true]),
    )
  })

  test('no line that the page for analysts shows is wider than a terminal', () => {
    expect(page.shownLines.filter((line) => line.length > 80)).toEqual([])
  })
})
