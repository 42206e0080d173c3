import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * Folders whose tests leave nothing behind in their process, so that files share the modules that are loaded: a third of
 * the CPU time. Proven in any order: `npx vitest run --project shared --sequence.shuffle.files`.
 */
const folders = [
  'api',
  'bench',
  'config',
  'contracts',
  'formats/parquet',
  'http',

  'memory',
  'messages',
  'plan',
  'records',
  'sandbox',
  'scan',
  'service',
  'streams',
]
const shared = folders.map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
  },
})
