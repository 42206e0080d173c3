import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

/** Folders of tests of parts; the others run whole pipelines, in processes of their own. */
const folders = [
  'bench',
  'config',
  'contracts',
  'formats/parquet',
  'memory',
  'plan',
  'records',
  'sandbox',
  'scan',
  'service',
  'streams',
  'text',
]
const parts = folders.map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    // Test files share the modules that their process has loaded: a sixth of the CPU time.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'parts', include: parts } },
      { extends: true, test: { name: 'pipelines', include: ['test/**/*.test.ts'], exclude: parts } },
    ],
    globalSetup: 'test/shared-folder.ts',
    // Repeated more often, a test takes longer: machines are slow at times.
    testTimeout: env['CATALOGUE_TEST_DEPTH'] === 'full' ? 300_000 : 60_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
  },
})
