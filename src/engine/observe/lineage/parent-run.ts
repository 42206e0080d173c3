import { z } from 'zod'
import type { RequiredContext } from '../../../run-context.ts'

const run = z.object({ runId: z.uuid() })
const job = z.object({ namespace: z.string(), name: z.string() })
const one = z.object({ run, job })
const parentRun = one.extend({ root: one.optional() })

export type ParentRun = z.output<typeof parentRun>

/**
 * The run that this one is a part of: OPENLINEAGE_CONTEXT as JSON, or OPENLINEAGE_PARENT_ID and
 * OPENLINEAGE_ROOT_PARENT_ID as `namespace/job/runId`. Null if none is set. Throws TypeError for other forms.
 */
export function findParentRun(env: RequiredContext<'env'>['env']): ParentRun | null {
  const { OPENLINEAGE_CONTEXT: context, OPENLINEAGE_PARENT_ID: id, OPENLINEAGE_ROOT_PARENT_ID: rootId } = env
  if (context)
    return parse('OPENLINEAGE_CONTEXT', 'JSON with parent.run.runId, parent.job.namespace and .name', () =>
      parseContext(context),
    )
  if (!id) return null
  const parent = parseId('OPENLINEAGE_PARENT_ID', id)
  return { ...parent, root: rootId ? parseId('OPENLINEAGE_ROOT_PARENT_ID', rootId) : parent }
}

function parseContext(context: string): ParentRun {
  const { parent } = z.object({ parent: parentRun }).parse(JSON.parse(context))
  return { ...parent, root: parent.root ?? parent }
}

function parseId(variable: string, id: string): z.output<typeof one> {
  const [, namespace, name, runId] = /^(.+)\/([^/]+)\/([^/]+)$/.exec(id) ?? []
  return parse(variable, 'namespace/job/runId with a UUID', () =>
    one.parse({ run: { runId }, job: { namespace, name } }),
  )
}

function parse<Value>(variable: string, expected: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    throw new TypeError(`environment variable ${variable}: expected ${expected}, got something else`, { cause })
  }
}
