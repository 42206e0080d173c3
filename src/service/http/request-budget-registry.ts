import { systemClock } from './clock.ts'
import { createRequestBudget, type RequestBudget } from './request-budget.ts'

/** State of the whole process, by service and key, because the service counts that way too. */
const budgets = new Map<string, RequestBudget>()

/** The budget that all requests of this process to one service with one key share (specification: Limits). */
export function sharedRequestBudget({
  baseUrl,
  keyId,
}: {
  readonly baseUrl: string
  readonly keyId: string
}): RequestBudget {
  const account = `${new URL(baseUrl).origin} ${keyId}`
  const known = budgets.get(account)
  if (known !== undefined) return known
  const budget = createRequestBudget({ clock: systemClock })
  budgets.set(account, budget)
  return budget
}
