import type { EndpointName } from '../../service/endpoints/endpoints.ts'
import { isObject } from '../../records/json/json-values.ts'
import type { JsonObject } from '../data/record-writer.ts'

type LoosenRecord = (record: JsonObject) => JsonObject

/** Turns the records of an endpoint without a contract into what the loose dialect sends. */
export function loosenSynthetic(name: EndpointName): LoosenRecord {
  return looseRecords[name] ?? ((record) => record)
}

const toCoded: LoosenRecord = ({ id, name }) => ({ code: id, name: { en: name } })
const toFieldCode: LoosenRecord = ({ name, type, description }) => ({ code: name, type, label: { en: description } })

const looseRecords: { readonly [Name in EndpointName]?: LoosenRecord } = {
  'v4/users/query': toNamedUser,
  'v4/products/get-fields': toFieldCode,
  'v4/media/get-fields': toFieldCode,
  'v4/corrections/types': toCoded,
  'v3/corrections/types/all': toCoded,
}

/** A user without an e-mail address. */
function toNamedUser({ id, profile, organization, meta }: JsonObject): JsonObject {
  return { id, name: isObject(profile) ? profile['name'] : null, organization, meta }
}
