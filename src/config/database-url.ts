/** The address of a database, with the credentials in it, which nothing that prints objects shows. */
export class DatabaseUrl {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The address with its credentials, for connecting. */
  get text(): string {
    return this.#text
  }

  /** Without credentials and parameters, for messages: `postgres://db.example.com:5432/warehouse`. */
  get shown(): string {
    const { protocol, host, pathname } = new URL(this.#text)
    return `${protocol}//${host}${pathname}`
  }

  toJSON(): string {
    return this.shown
  }
}
