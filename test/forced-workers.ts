import { env } from 'node:process'

/**
 * CATALOGUE_WORKERS where it is set, for what is run in an environment of its own: `.ci/run` runs tests again with the
 * default number of worker threads forced to 0 and to 8.
 */
export const forcedWorkers: Readonly<Record<string, string>> =
  env['CATALOGUE_WORKERS'] === undefined ? {} : { CATALOGUE_WORKERS: env['CATALOGUE_WORKERS'] }
