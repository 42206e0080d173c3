import { resolve } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import { tableFolder } from '../../lake/lake-plan.ts'
import type { PublishedManifest } from '../../manifest/manifest.ts'
import { isObjectPath } from '../../storage/s3/object-path.ts'
import type { DdlDialect } from './ddl-dialect.ts'
import { ddlDialects, type DdlDialectName } from './format-ddl.ts'

/**
 * Formats a view of each table that a run left in a lake, at the version that its manifest lists: whoever reads the views reads
 * all tables of one run. Of several lakes with a table the first one counts. Throws USAGE if there is no such table, and for
 * warehouses without such views.
 */
export function formatViews(
  { pipeline, databases = [] }: Pick<PublishedManifest, 'pipeline' | 'databases'>,
  dialectName: DdlDialectName,
): string {
  const dialect: DdlDialect = ddlDialects[dialectName]
  const { views } = dialect
  if (views === undefined) {
    const able = Object.entries<DdlDialect>(ddlDialects).flatMap(([name, each]) => (each.views ? [name] : []))
    throw new CatalogueError('USAGE', `--views: expected the dialect ${able.join(' or ')}, got ${dialectName}`)
  }
  const statements = new Map<string, string>()
  for (const { format, catalog, target, tables } of databases) {
    if (format === undefined || catalog !== undefined) continue
    const path = isObjectPath(target) ? target : resolve(target)
    for (const { name, version } of tables) {
      if (version === undefined || statements.has(name)) continue
      const folder = tableFolder({ target: { path } }, name)
      statements.set(name, views.format(dialect.quoteName(name), { format, folder, version }))
    }
  }
  if (statements.size === 0) {
    const message = `pipeline "${pipeline}": expected a run with tables in a lake, got none`
    throw new CatalogueError('USAGE', message, {
      fix: 'Run the pipeline with an output in the format delta or iceberg that has a path. In a catalog engines find tables by name, and all of a run at once.',
    })
  }
  const [begin, commit] = views.transaction ?? []
  return [...views.notes.map((note) => `-- ${note}`), begin, ...statements.values(), commit, '']
    .filter((line) => line !== undefined)
    .join('\n')
}
