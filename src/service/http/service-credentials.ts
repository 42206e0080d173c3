/** Key id and secret, which nothing that prints objects shows: not JSON, not inspect, not a copy of the fields. */
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
