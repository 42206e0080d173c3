import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'

const isDeep = ['deep', 'full'].includes(env['CATALOGUE_TEST_DEPTH'] ?? 'quick')
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
    // Runs whose tests name no number of threads: in greater depth they take that of the machine.
    env: isDeep ? {} : { CATALOGUE_WORKERS: env['CATALOGUE_WORKERS'] ?? '1' },
    // Repeated more often, a test takes longer: machines are slow at times.
    testTimeout: isDeep ? 300_000 : 60_000,
    hookTimeout: 120_000,
    // By itself one for two cores; many tests wait for processes and servers.
    maxWorkers: Math.max(2, availableParallelism()),
  },
})
