import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPasswordRedaction, createRedaction } from '../../../src/service/http/redact.ts'
import { answerJson, answerText, createTestClient, ServiceStub } from '../read/service-stub.ts'

const request = { method: 'POST', path: '/v4/products/stream', body: {} } as const

describe('a secret', () => {
  const ways: readonly ((secret: string) => string)[] = [
    (secret) => secret,
    encodeURIComponent,
    (secret) => encodeURIComponent(secret).toLowerCase(),
    (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length),
    escape,
    (secret) => escape(escape(secret)),
    (secret) => escape(secret).replaceAll('/', String.raw`\/`),
    (secret) => Buffer.from(secret).toString('base64'),
    (secret) => Buffer.from(secret).toString('base64url'),
  ]
  const characters = fc.constantFrom(...'abcXYZ019"\\/+&= é☃\n'.split(''))

  test('a secret is hidden however a text quotes it', () => {
    const secrets = fc.string({ unit: characters, minLength: 8, maxLength: 20 })
    fc.assert(
      fc.property(secrets, fc.constantFrom(...ways), (secret, quote) => {
        const shown = createRedaction([secret])(`key <${quote(secret)}> is wrong`)
        expect(shown).toMatch(/^key <\*{3}=*> is wrong$/)
      }),
    )
  })

  test('a secret is hidden in an answer of the service that quotes it', async () => {
    const keySecret = 'quo"te\\back/slash é'
    const auth = JSON.stringify({ auth: `key-0815:${keySecret}` })
    const quoted = JSON.stringify({ error: { code: 'u', message: auth, violations: [{ auth }] } })
    const ascii = quoted.replaceAll('é', String.raw`\\u00e9`)
    for (const body of [quoted, ascii]) {
      await using stub = await ServiceStub.start(answerText(401, body))
      const error = await createTestClient(stub.url, { keySecret })
        .open(request)
        .catch((thrown: unknown) => thrown as Error)
      const { message } = error as Error
      expect(message).toContain('***')
      for (const part of ['quo', 'back', 'slash']) expect(message).not.toContain(part)
    }
  })

  test('a secret may hold half a character, which has no bytes', async () => {
    await using stub = await ServiceStub.start(answerJson(401, { error: { message: 'no' } }))
    const client = createTestClient(stub.url, { keySecret: 'half \uD800 of it' })
    await expect(client.open(request)).rejects.toMatchObject({ code: 'SERVICE_UNAUTHORIZED' })
  })
})

test('a password is hidden as it is, in a query string, in JSON, and whatever its case', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), fc.string(), fc.string(), (password, before, after) => {
      const redact = createPasswordRedaction(password)
      for (const form of [password, encodeURIComponent(password), JSON.stringify(password).slice(1, -1)]) {
        const shown = redact(before + form + after)
        expect(shown).toContain('***')
        expect(shown.split('***').join('\n')).not.toContain(form)
      }
    }),
  )
  expect(createPasswordRedaction('Sesame!')('open SESAME! or sesame!')).toBe('open *** or ***')
})

test('a short password is hidden as a word of its own', () => {
  expect(createPasswordRedaction('at')('"at" is what; at, AT: at')).toBe('"***" is what; ***, ***: ***')
  expect(createPasswordRedaction('.*')('a .* b')).toBe('a *** b')
})

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
