import { systemClock } from './clock.ts'
import { createRequestBudget, type RequestBudget } from './request-budget.ts'

/** By service and key. No other state is kept for the whole process: the service counts that way, too. */
const budgets = new Map<string, RequestBudget>()

/** The budget of all requests of this process to one service with one key (specification: Limits). */
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
