import { createRequestBudget } from '../../../src/service/http/request-budget.ts'
import { systemClock } from '../../../src/service/http/clock.ts'
import { createServiceSources } from '../../../src/service/read/create-service-sources.ts'

/**
 * A process that reads v4/products/stream: `reading-child.ts BASE_URL [PAUSE_MS]`. It pauses that long after every block
 * and prints what it read and the most memory that its buffers had.
 */
const [baseUrl = '', pauseMs = '0'] = process.argv.slice(2)
const service = createServiceSources(
  { endpoint: 'v4/products/stream', filter: {}, sorting: { id: 'ASC' }, page: null },
  { baseUrl, keyId: 'key', keySecret: 'secret' },
  { budget: createRequestBudget({ clock: systemClock }), maxLineBytes: 16_777_216, incomplete: 'fail' },
)
let bytes = 0
let peak = 0
const started = performance.now()
for (const source of service.sources) {
  const reading = source.read(new AbortController().signal)
  for await (const block of reading.blocks) {
    bytes += block.bytes.length
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
    if (Number(pauseMs) > 0) await systemClock.sleep(Number(pauseMs))
  }
  const { status } = reading.completeness()
  process.stdout.write(JSON.stringify({ bytes, peak, status, ms: Math.round(performance.now() - started) }))
}
await service.close()
