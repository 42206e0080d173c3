import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

const { CATALOGUE_TEST_DEPTH: depth = 'quick', CATALOGUE_WORKERS: workers = '1' } = env
/** Names the file for the CPU time of each test file, which is not measured otherwise. */
const isMeasured = env['CATALOGUE_CPU_REPORT'] !== undefined

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Test files share the modules that their process has loaded: a sixth of the CPU time.
    isolate: false,
    // Tests make much garbage: with more room for what is new, the collector takes half as long.
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: 'test/shared-folder.ts',
    setupFiles: ['test/end-timed-out.ts', ...(isMeasured ? ['test/file-cpu.ts'] : [])],
    reporters: ['default', ...(isMeasured ? ['./test/cpu-reporter.ts'] : [])],
    // Runs whose tests name no number of threads: in full depth they take that of the machine.
    env: depth === 'full' ? {} : { CATALOGUE_WORKERS: workers },
    // A test that does more takes longer: machines are slow at times.
    testTimeout: depth === 'quick' ? 60_000 : 300_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
  },
})
