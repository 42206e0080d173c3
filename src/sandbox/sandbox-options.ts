import { aFunction, either, filledText, oneOf, type OptionKinds, trueOrFalse, wholeNumber } from '../check-options.ts'
import { type DialectName, dialectNames } from './dialect/dialect.ts'

export interface SandboxOptions {
  /** Number of products. Media are twice, news items a tenth and corrections a twentieth as many. Default 5000. */
  readonly products?: number
  /** The same seed always gives the same catalogue. Default 1. */
  readonly seed?: number
  /**
   * `documented`, the default: as the specification says. `loose`: as seen in answers if the specification is silent
   * (docs/sandbox.md).
   */
  readonly dialect?: DialectName
  /** 0, the default, takes any free port. */
  readonly port?: number
  readonly keyId?: string
  readonly keySecret?: string
  /** Requests in any 60 seconds; false for no limit. Default 100. */
  readonly rateLimit?: number | false
  /** False if the subscription of the key forbids creating users. Default true. */
  readonly mayCreateUsers?: boolean
  /** Bytes of generated records to keep in memory, so they are served faster. Default 64 MiB. */
  readonly keptBytes?: number
  /**
   * Generates products before a request needs them. This makes the first stream as fast as later ones, for a second of
   * computing between the first requests. Default false.
   */
  readonly warmUp?: boolean
  /**
   * Serves photos and leaflets under `/images/`, without credentials or rate limit, and puts these addresses into
   * records. Default false: addresses lead nowhere.
   */
  readonly images?: boolean
  /** Days of changes before the start. Default 0: products as generated. */
  readonly days?: number
  /**
   * Clock of the rate limit, the Date header and signed addresses, in milliseconds since 1970. Default: the system's.
   */
  readonly now?: () => number
}

/** Of a hundred years: each takes a moment. */
export const mostDays = 36_525

export const sandboxOptions: OptionKinds<SandboxOptions> = {
  products: wholeNumber(0),
  seed: wholeNumber(0),
  dialect: oneOf(...dialectNames),
  port: wholeNumber(0, 65_535),
  keyId: filledText,
  keySecret: filledText,
  rateLimit: either(wholeNumber(1), oneOf(false)),
  mayCreateUsers: trueOrFalse,
  keptBytes: wholeNumber(0),
  warmUp: trueOrFalse,
  images: trueOrFalse,
  days: wholeNumber(0, mostDays),
  now: aFunction,
}
