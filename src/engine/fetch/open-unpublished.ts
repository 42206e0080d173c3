import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import type { SourcePlan } from '../../plan/source/source-plan.ts'
import type { RunContext } from '../../run-context.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import { newToken } from '../frame.ts'
import { openSources, type OpenedSources } from '../reading/open-sources.ts'

/** Opens the sources of a plan for a reading that publishes nothing. Windows that are read ahead are buffered in a temporary folder. */
export async function openUnpublished(
  plan: PipelinePlan,
  context: Pick<RunContext, 'env' | 'onWarning'>,
): Promise<OpenedSources> {
  const folder = hasWindows(plan.source) ? await createTempFolder('catalogue-etl-') : null
  const remove = async (): Promise<void> => {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
  const path = join(folder ?? tmpdir(), '_manifest.json')
  const placed = { ...plan, report: { ...plan.report, manifest: { path } } }
  try {
    const opened = await openSources(placed, { ...context, stdin: Readable.from([]), token: newToken() })
    const close = async (): Promise<void> => {
      await opened.close()
      await remove()
    }
    return { ...opened, close }
  } catch (error) {
    await remove()
    throw error
  }
}

function hasWindows(source: SourcePlan): boolean {
  return source.kind === 'service' && source.partition !== null
}
