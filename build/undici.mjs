import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import request from 'undici/lib/api/api-request.js'

/* What is used of undici: without its fetch, its mocks and its caches it is a third as large. */

Dispatcher.prototype.request = request

export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js'
