import { closest } from '../text/choices.ts'
import { problemAt, type Problem } from './problem.ts'

/** True for a key whose value must never be shown, even misspelt. */
export function isCredential(key: string): boolean {
  return credentialWord.test(key) || closest(key, credentialKeys) !== undefined
}

/** True for a place in a config that is a credential, or inside of one. Tables may have any name. */
export function isInCredential(path: Problem['path']): boolean {
  return path[0] !== 'tables' && path.some((step) => typeof step === 'string' && isCredential(step))
}

/** Every text and number that a config holds as a credential, those too short to be one left out. */
export function listCredentials(value: unknown, path: Problem['path'] = []): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, member]) => listCredentials(member, [...path, key]))
  const text = String(value)
  return isInCredential(path) && text.length >= shortest ? [text] : []
}

/** The places outside of `keySecret` that hold its value, which would be printed there sooner or later. */
export function checkSecretUse(value: unknown): Problem[] {
  const { source } = (value ?? {}) as { readonly source?: { readonly keySecret?: unknown } | null }
  const secret = source?.keySecret
  if (typeof secret !== 'string' || secret.length < shortestSecret) return []
  return listTexts(value, []).flatMap(({ path, text }) =>
    text.includes(secret) && !isInCredential(path)
      ? [problemAt(path, 'expected the key secret nowhere but in source.keySecret, as this would be printed')]
      : [],
  )
}

/** A message without the credentials that it may quote, whole, escaped, or cut off at its end. */
export function redactCredentials(text: string, credentials: readonly string[]): string {
  const forms = credentials.flatMap((credential) => [credential, JSON.stringify(credential).slice(1, -1)])
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length)
  const shown = longestFirst.reduce((rest, form) => withoutCut(rest.replaceAll(form, redactedMark), form), text)
  return shown.replaceAll(assignment, `$1${redactedMark}`).replaceAll(userInfo, `$1${redactedMark}$3`)
}

export const redactedMark = '***'

/** A credential written as text: `keySecret=abc`, `keySecret:abc`. */
export const assignment = /((?:secret|password|token|key_?id)[\w-]{0,40}["']?[:=])((?!\$\{)[^\s"']+)/gi

/** User and password in an address; a password may have any character. */
export const userInfo = /(\w:\/\/)([^\s"']+)(@)/g

function listTexts(value: unknown, path: Problem['path']): { path: Problem['path']; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => listTexts(item, [...path, index]))
  return Object.entries(value).flatMap(([key, member]) => listTexts(member, [...path, key]))
}

/** Messages cut long values, which may leave the beginning of a credential. */
function withoutCut(text: string, credential: string): string {
  if (!text.includes('…')) return text
  for (let length = credential.length - 1; length >= shortest; length--) {
    const cut = `${credential.slice(0, length)}…`
    if (text.includes(cut)) return text.replaceAll(cut, `${redactedMark}…`)
  }
  return text
}

const credentialKeys = ['keyId', 'keySecret']
const credentialWord = /secret|password|passwd|token|credential|api[_-]?key|key[_-]?id/i
const shortest = 6
const shortestSecret = 8
