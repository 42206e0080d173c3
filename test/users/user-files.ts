import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import type { ResultLine } from '../../src/users/results-file.ts'

/** Contains every character that text formats escape. */
export const password = (number: number): string => `s3cret "${number}" & co/é`

const header = 'email,password,role,organization,profile.name,preferences.language,subscription.type'

export function toCsvLine(number: number): string {
  const quoted = `"${password(number).replaceAll('"', '""')}"`
  return `user${number}@example.org,${quoted},software_developer,${number},User ${number},nl,7`
}

export function toCsv(count: number): string {
  return [header, ...Array.from({ length: count }, (_, at) => toCsvLine(at + 1))].join('\n')
}

/** A temporary folder with files of users and what their runs leave. */
export class UserFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  static async create(): Promise<UserFolder> {
    return new UserFolder(await mkdtemp(join(tmpdir(), 'users-')))
  }

  at(name: string): string {
    return join(this.path, name)
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.at(name), content)
    return this.at(name)
  }

  async readResults(name = 'users.csv'): Promise<ResultLine[]> {
    const text = await readFile(this.at(`${name}.results.ndjson`), 'utf8')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine)
  }

  /** All bytes of all files except the named ones. */
  async readAllBut(...names: readonly string[]): Promise<string> {
    const all = (await readdir(this.path)).filter((name) => !names.includes(name))
    return (await Promise.all(all.map((name) => readFile(this.at(name), 'latin1')))).join('\n')
  }

  names(): Promise<string[]> {
    return readdir(this.path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true })
  }
}

/** Addresses of this test's users in the sandbox, one per user. */
export async function listCreated({ baseUrl, keyId, keySecret }: Pick<Sandbox, 'baseUrl' | 'keyId' | 'keySecret'>) {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/v4/users/query`, { method: 'POST', headers, body: '{}' })
  const { results } = (await response.json()) as { results: { email: string }[] }
  return results
    .map(({ email }) => email)
    .filter((email) => email.endsWith('@example.org'))
    .toSorted()
}

export function toAddresses(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `user${at + 1}@example.org`).toSorted()
}
