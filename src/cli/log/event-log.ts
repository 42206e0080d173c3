export const logFormats = ['text', 'json', 'none'] as const

export type LogFormat = (typeof logFormats)[number]

/** Something that happened, as JSON lines tell it. */
export interface LoggedEvent {
  readonly level: 'info' | 'warn' | 'error'
  /** `run.published` */
  readonly event: string
  /** Beside the fields, for whoever reads along. */
  readonly message: string
  readonly [field: string]: unknown
}

/** Where what a command has to say goes. */
export interface EventLog {
  readonly format: LogFormat
  /** Once for each event. `text` is what people get to read of it. */
  tell(event: LoggedEvent, text: () => string): void
}
