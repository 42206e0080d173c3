import { isEndpointName, type EndpointName } from '../../service/endpoints/endpoints.ts'

/** The one operation that writes. */
export const usersCreate = 'v4/users/create'

/** Photos and leaflets, for faults and the log of requests. */
export const imageFiles = 'images'

/** Every endpoint of the table, the creation of users, and the files of images. */
export type ServedEndpoint = EndpointName | typeof usersCreate | typeof imageFiles

export function isServedEndpoint(name: string): name is ServedEndpoint {
  return name === usersCreate || name === imageFiles || isEndpointName(name)
}
