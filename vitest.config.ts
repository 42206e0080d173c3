import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Their tests only call functions: no process, server, lock or clock of their own, so files share the loaded modules. */
const units = ['contracts', 'records', 'config', 'scan', 'streams', 'sinks/parquet'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
)

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { extends: true, test: { name: 'units', include: units, isolate: false } },
      { extends: true, test: { name: 'all others', include: ['test/**/*.test.ts'], exclude: units } },
    ],
  },
})
