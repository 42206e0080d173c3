import { CatalogueError } from '../errors.ts'
import { checkBaseUrl } from '../service/http/check-base-url.ts'
import { checkProxy, findProxy, type ServiceProxy } from '../service/http/service-proxy.ts'
import type { RunContext } from '../run-context.ts'

type Environment = NonNullable<RunContext['env']>

export interface UserService {
  /** The address before `/v4`. */
  readonly baseUrl: string
  readonly keyId: string
  readonly keySecret: string
  /** Default: name and version of this tool. */
  readonly userAgent?: string | undefined
}

/** Checks the service and adds the proxy that the environment names for it. Throws USAGE. */
export function findService(
  service: UserService,
  env: Environment,
): UserService & { readonly proxy: ServiceProxy | null } {
  const baseUrl = toPlainAddress(service.baseUrl)
  for (const key of ['keyId', 'keySecret'] as const) {
    if (service[key] === '') throw toError(`${key}: expected a text, got an empty one`)
  }
  const wrongProxy = checkProxy(baseUrl, env)
  if (wrongProxy !== null) throw toError(wrongProxy)
  return { ...service, baseUrl, proxy: findProxy(baseUrl, env) }
}

/** Normalizes an address as results name it, without a slash at the end. Throws USAGE if it is invalid. */
export function toPlainAddress(baseUrl: string): string {
  const message = checkBaseUrl(baseUrl)
  if (message !== null) throw toError(`baseUrl: ${message}`)
  return new URL(baseUrl).href.replace(/\/+$/, '')
}

function toError(message: string): CatalogueError {
  const fix =
    'Correct what is named above; the command takes it from CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET.'
  return new CatalogueError('USAGE', message, { title: "The service can't be asked like this", fix })
}
