import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { isError, messageOf } from '../src/errors.ts'

test('isError knows the errors of another realm, and nothing that only looks like one', () => {
  expect(isError(runInNewContext("new RangeError('too far')"))).toBe(true)
  expect(isError(new DOMException('stopped', 'AbortError'))).toBe(true)
  expect([{ message: 'too far' }, 'too far', null].filter(isError)).toEqual([])
})

test('messageOf gives the message of an error of another realm, and other things as text', () => {
  expect([runInNewContext("new Error('no file')"), 'no file', undefined].map(messageOf)).toEqual([
    'no file',
    'no file',
    'undefined',
  ])
})
