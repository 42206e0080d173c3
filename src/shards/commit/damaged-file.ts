import { CatalogueError } from '../../errors.ts'

export function damagedFile(path: string, expected: string, got: string): CatalogueError {
  return new CatalogueError('SHARDS_INCOMPLETE', `${path}: expected ${expected}, as the attempt left it, got ${got}`, {
    fix: 'Remove the folder of this attempt, whose name begins with the number of the shard, and run that shard again.',
  })
}
