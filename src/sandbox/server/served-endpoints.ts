import { isEndpointName, type EndpointName } from '../../service/endpoints/endpoints.ts'

export const usersCreate = 'v4/users/create'

/** Photos and leaflets, as named in faults and the log. */
export const imageFiles = 'images'

export type ServedEndpoint = EndpointName | typeof usersCreate | typeof imageFiles

export function isServedEndpoint(name: string): name is ServedEndpoint {
  return name === usersCreate || name === imageFiles || isEndpointName(name)
}
