/*
 * The entry of a worker where the sources run as they are, in tests; dist/ has encode-worker.js instead. A bundle, if the
 * tests have made one, starts in a tenth of the CPU time.
 */
const { CATALOGUE_TEST_ENCODE_WORKER: bundle } = process.env
if (bundle === undefined) await import('jiti/register')
await import(bundle ?? './encode-worker.ts')
