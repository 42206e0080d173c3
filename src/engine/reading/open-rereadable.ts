import type { PipelinePlan } from '../../plan/pipeline-plan.ts'
import { stagingPath } from '../../publish/staging-names.ts'
import { openFile } from '../../sources/file-bytes.ts'
import { stdinName } from '../../sources/file-source.ts'
import type { Source } from '../../sources/source.ts'
import { activeTokens } from '../run/active-tokens.ts'
import { copyBytes, copyLines } from './copy-source.ts'
import { openSources } from './open-sources.ts'
import type { SourceContext } from './opened-sources.ts'
import { sourceCopyPath } from '../outputs/side-files.ts'

export interface RereadableContext extends SourceContext {
  readonly signal: AbortSignal
  /** Gets what gives back connections and copies. */
  readonly releases: (() => Promise<void>)[]
}

/** The sources; those that can be read only once are copied to a file where that has to be done twice. */
export async function openRereadable(
  plan: PipelinePlan,
  { token, stdin, signal, onWarning, releases }: RereadableContext,
): Promise<readonly Source[]> {
  const { sources, close } = await openSources(plan, { stdin, token, onWarning })
  releases.push(close)
  if (plan.duplicates === 'keep') return sources
  const { maxLineBytes } = plan.records
  const opened: Source[] = []
  for (const [at, source] of sources.entries()) {
    if (source.canBeReadAgain) {
      opened.push(source)
      continue
    }
    const copyToken = `${token}-${at}`
    activeTokens.add(copyToken)
    releases.push(async () => void activeTokens.delete(copyToken))
    const path = stagingPath(sourceCopyPath(plan), { pid: process.pid, token: copyToken })
    const copy =
      plan.source.kind === 'files'
        ? await copyBytes(source.name === stdinName ? stdin : openFile(source.name), path, source.name, {
            format: plan.source.format,
            maxLineBytes,
            signal,
          })
        : await copyLines(source, path, maxLineBytes, signal)
    releases.push(copy.remove)
    opened.push(copy.source)
  }
  return opened
}
