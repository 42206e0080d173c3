import { CatalogueError } from '../../errors.ts'

/** DuckDB, which is installed by those who use it. Throws PEER_MISSING, for the output that is shown. */
export async function importDuckdb(shown: string): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api')
  } catch (thrown) {
    const said = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown)
    const message = `${shown}: expected the package "@duckdb/node-api", got: ${said}`
    throw new CatalogueError('PEER_MISSING', message, {
      cause: thrown,
      fix: 'npm install @duckdb/node-api',
    })
  }
}
