import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPasswordRedaction } from '../../src/http/redact-password.ts'

test('a password is hidden as it is, in a query string, in JSON, and whatever its case', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), fc.string(), fc.string(), (password, before, after) => {
      const conceal = createPasswordRedaction(password)
      for (const form of [password, encodeURIComponent(password), JSON.stringify(password).slice(1, -1)]) {
        const shown = conceal(before + form + after)
        expect(shown).toContain('***')
        expect(shown.split('***').join('\n')).not.toContain(form)
      }
    }),
  )
  expect(createPasswordRedaction('Sesame!')('open SESAME! or sesame!')).toBe('open *** or ***')
})

test('a short one is hidden where it stands alone', () => {
  expect(createPasswordRedaction('at')('"at" is what; at, AT: at')).toBe('"***" is what; ***, ***: ***')
  expect(createPasswordRedaction('.*')('a .* b')).toBe('a *** b')
})
