import type { Clock } from '../service/http/clock.ts'
import type { MediaPlan } from '../plan/media/media-plan.ts'
import type { MediaTransport } from './media-transport.ts'
import { requestFile, type FileAnswer, type FileRequest, type RequestPlan } from './request-file.ts'

/** Longer waits that a host asks for end the tries: the next command asks again. */
const longestWaitMs = 120_000

/** Requests a file, and again where that may help: after what `Retry-After` says, else after pauses that double. */
export async function fetchFile(
  request: FileRequest,
  plan: RequestPlan & Pick<MediaPlan, 'retries'>,
  { transport, clock }: { readonly transport: MediaTransport; readonly clock: Clock },
): Promise<FileAnswer> {
  for (let tries = 0; ; tries++) {
    const answer = await requestFile(request, plan, transport)
    if (answer.kind !== 'failed' || !answer.mayRepeat || tries >= plan.retries) return answer
    const waitMs = answer.retryAfterMs ?? toPause(tries)
    if (waitMs > longestWaitMs)
      return { ...answer, detail: `${answer.detail}, asks to wait ${Math.round(waitMs / 1000)} s` }
    await clock.sleep(waitMs, request.signal)
  }
}

/** 0.5 s, 1 s, 2 s … up to 30 s, less a random part of up to half: files that failed together don't come back together. */
function toPause(tries: number): number {
  return Math.min(30_000, 500 * 2 ** tries) * (0.5 + Math.random() / 2)
}
