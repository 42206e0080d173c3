import type { RequiredContext } from '../../run-context.ts'
import { createObjectReader } from './create-object-reader.ts'
import type { ObjectReader } from './object-reader.ts'

export async function withObjects<Result>(
  env: RequiredContext<'env'>['env'],
  work: (objects: ObjectReader) => Promise<Result>,
): Promise<Result> {
  const objects = createObjectReader(env)
  try {
    return await work(objects)
  } finally {
    objects.close()
  }
}
