/** Key id and secret, hidden from JSON, `util.inspect` and copies of the object's fields. */
export class ServiceCredentials {
  readonly #keyId: string
  readonly #keySecret: string

  constructor(keyId: string, keySecret: string) {
    this.#keyId = keyId
    this.#keySecret = keySecret
  }

  get keyId(): string {
    return this.#keyId
  }

  get keySecret(): string {
    return this.#keySecret
  }

  toJSON(): undefined {
    return undefined
  }
}
