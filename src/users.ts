/* `catalogue-etl/users`: creating the users of a file. */

export {
  createUsers,
  type CreateUsersOptions,
  type CreateUsersReport,
  type UsersProgress,
} from './users/create-users.ts'
export { InvalidUserRows, planUsers, type PlannedUser, type UserFileOptions } from './users/plan-users.ts'
export type { UserFileFormat } from './users/read-user-rows.ts'
export type { UserFailure, UserResult } from './users/results-file.ts'
export type { RowProblem } from './users/check-user-rows.ts'
export type { UserService } from './users/user-service.ts'
