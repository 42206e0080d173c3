import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkText, locateProblems } from './check-text.ts'

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

test('a config with one of every mistake gets all of them listed at once, in the order of the file', () => {
  const problems = checkText(read('everything-wrong.yaml'), { needsService: true })
  expect(problems).toEqual(read('everything-wrong.txt').trimEnd().split('\n'))
})

test('every problem has an excerpt with a mark under the place it names', () => {
  const text = read('everything-wrong.yaml')
  const lines = text.split('\n')
  for (const { line, column, excerpt, mark } of locateProblems(text, { needsService: true })) {
    const written = lines[line! - 1]!
    if (excerpt?.includes('***')) continue
    expect(excerpt).toBe(written)
    expect(mark).toBe(column! - 1)
  }
})
