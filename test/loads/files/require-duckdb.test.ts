import { expect, test } from 'vitest'
import { requireDuckdb } from '../../../src/loads/files/open-duckdb.ts'

test.each(['v1.5.5', 'v1.5.6', 'v1.10.0'])('requireDuckdb takes DuckDB %s', (version) => {
  const duckdb = { version: () => version }
  expect(requireDuckdb('outputs[0]', () => duckdb)).toBe(duckdb)
})

test.each(['v1.5.4', 'v1.4.9', 'v0.10.0', 'v2.0.0'])(
  'requireDuckdb refuses DuckDB %s with the versions to install',
  (version) => {
    expect(() => requireDuckdb('outputs[0]', () => ({ version: () => version }))).toThrow(
      expect.objectContaining({
        code: 'PEER_MISSING',
        message: `outputs[0]: expected the package "@duckdb/node-api" from 1.5.5, below 2, got ${version}`,
        fix: 'Install it beside catalogue-etl: `npm install @duckdb/node-api`.',
      }),
    )
  },
)

test('requireDuckdb says what Node says if there is no DuckDB', () => {
  expect(() => requireDuckdb('outputs[0]', fail)).toThrow(
    expect.objectContaining({
      code: 'PEER_MISSING',
      message: `outputs[0]: expected the package "@duckdb/node-api", got: Cannot find module '@duckdb/node-api'`,
    }),
  )
})

function fail(): never {
  throw new Error("Cannot find module '@duckdb/node-api'\nRequire stack: …")
}
