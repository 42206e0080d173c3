import { isEndpointName, type EndpointName } from '../../api/endpoints.ts'

/** The one operation that writes. */
export const usersCreate = 'v4/users/create'

/** Every endpoint of the table, and the creation of users. */
export type ServedEndpoint = EndpointName | typeof usersCreate

export function isServedEndpoint(name: string): name is ServedEndpoint {
  return name === usersCreate || isEndpointName(name)
}
