import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createRequestBudget } from '../../src/service/http/request-budget.ts'
import { createUsersWith, type CreateUsersOptions, type CreateUsersReport } from '../../src/users/create-users.ts'
import { InvalidUserRows } from '../../src/users/plan-users.ts'
import type { SendContext } from '../../src/users/send-users.ts'
import { FakeClock } from '../service/http/fake-clock.ts'
import { UserFolder } from './user-files.ts'

/** A sandbox and a folder for runs whose waits take no time. */
export class UserRig {
  readonly folder: UserFolder
  readonly sandbox: Sandbox

  static async start(options: SandboxOptions = {}): Promise<UserRig> {
    const sandbox = startSandbox({ products: 1, rateLimit: false, ...options })
    return new UserRig(await UserFolder.create(), await sandbox)
  }

  private constructor(folder: UserFolder, sandbox: Sandbox) {
    this.folder = folder
    this.sandbox = sandbox
  }

  create(
    file: string,
    options: Partial<CreateUsersOptions> = {},
    context: Partial<SendContext> = {},
  ): Promise<CreateUsersReport> {
    const clock = context.clock ?? new FakeClock()
    const usual = { budget: createRequestBudget({ clock }), clock, random: () => 0.5 }
    return createUsersWith({ file, service: this.sandbox, env: {}, ...options }, { ...usual, ...context })
  }

  /** Returns the problems of a file that must not be sent. */
  async refuse(file: string): Promise<InvalidUserRows> {
    const thrown: unknown = await this.create(file).catch((error: unknown) => error)
    if (thrown instanceof InvalidUserRows) return thrown
    throw new Error('expected the file to be refused', { cause: thrown })
  }

  /** Requests to create a user that reached the sandbox. */
  get creations() {
    return this.sandbox.requests.filter(({ endpoint }) => endpoint === 'v4/users/create')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.folder[Symbol.asyncDispose](), this.sandbox.close()])
  }
}
