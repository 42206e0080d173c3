import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Test files leave nothing behind in their process, so that they share the modules that are loaded: a sixth of the CPU
    // time. Proven in any order: `npx vitest run --sequence.shuffle.files`.
    isolate: false,
    globalSetup: 'test/shared-folder.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
  },
})
