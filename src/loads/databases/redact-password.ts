import { decode, type DatabaseUrl } from '../../config/database-url.ts'
import { createPasswordRedaction } from '../../service/http/redact.ts'

/** Compiles the removal of an address's password from texts, as it is written there and as it is meant. */
export function redactPassword(url: DatabaseUrl): (text: string) => string {
  const { password, searchParams } = new URL(url.text)
  const passwords = [password, decode(password), searchParams.get('password') ?? ''].filter((each) => each !== '')
  const redactions = [...new Set(passwords)].map(createPasswordRedaction)
  return (text) => redactions.reduce((shown, redact) => redact(shown), text)
}
