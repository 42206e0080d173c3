import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import connect from 'undici/lib/api/api-connect.js'
import request from 'undici/lib/api/api-request.js'
import UndiciAgent from 'undici/lib/dispatcher/agent.js'
import UndiciPool from 'undici/lib/dispatcher/pool.js'
import UndiciProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

/* What is used of undici: without its fetch, its mocks and its caches it is a third as large. */

export const Agent = withRequest(UndiciAgent)
export const Pool = withRequest(UndiciPool)
export const ProxyAgent = withRequest(UndiciProxyAgent)

/** Not a statement of its own: bundlers leave it out, as this package says that its modules have no side effects. */
function withRequest(Class) {
  // Tunnels through proxies are made by `connect`.
  Object.assign(Dispatcher.prototype, { request, connect })
  return Class
}
