import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Mishap } from './fault-queue.ts'
import type { Refusal } from './parse-fault.ts'
import type { OpenRequest } from './request-log.ts'
import { endResponse } from './send-body.ts'
import { ServiceError } from './service-error.ts'

/** What befalls a request before its answer. Whoever finds the reply sent or taken over afterwards leaves it alone. */
export async function meetMishap({ refusal, answer }: Mishap, reply: FastifyReply, log: OpenRequest): Promise<void> {
  if (refusal !== undefined) {
    await refuse(refusal, reply)
    return
  }
  if (answer?.delayMs !== undefined) await wait(answer.delayMs)
  if (answer?.redirect !== undefined) await reply.redirect(answer.redirect)
  else if (answer?.silence !== undefined) {
    reply.hijack()
    log.end = answer.silence
    await endResponse(reply.raw, answer.silence)
  }
}

async function refuse({ status, retryAfter, body }: Refusal, reply: FastifyReply): Promise<void> {
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter))
  reply.code(status)
  if (body === 'empty') await reply.send()
  else if (body === 'html')
    await reply.type('text/html; charset=utf-8').send(`<html><body><h1>${status}</h1></body></html>`)
  else await reply.send(new ServiceError(status, 'A fault that was asked for').toBody())
}
