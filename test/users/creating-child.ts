import { createRequestBudget } from '../../src/service/http/request-budget.ts'
import { createUsersWith } from '../../src/users/create-users.ts'
import { FakeClock } from '../service/http/fake-clock.ts'

/** A process that creates users: `creating-child.ts BASE_URL FILE`. */
const [baseUrl = '', file = ''] = process.argv.slice(2)
const clock = new FakeClock()
await createUsersWith(
  { file, service: { baseUrl, keyId: 'sandbox', keySecret: 'sandbox-secret' }, env: {} },
  { budget: createRequestBudget({ clock }), clock },
)
