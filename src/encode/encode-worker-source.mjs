/* The entry of a worker where the sources run as they are, in tests: dist/ has encode-worker.js instead. */
await import('jiti/register')
await import('./encode-worker.ts')
