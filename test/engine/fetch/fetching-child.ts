import { fetchPipeline } from '../../../src/engine/fetch/fetch-pipeline.ts'

/**
 * A process that fetches: `fetching-child.ts BASE_URL FILE`. It prints the bytes of the lines and the most
 * memory that its buffers had.
 */
const [baseUrl = '', to = ''] = process.argv.slice(2)
const source = { endpoint: 'v4/products/stream', baseUrl, keyId: 'key', keySecret: 'secret' }
let peak = 0
const onProgress = () => (peak = Math.max(peak, process.memoryUsage().arrayBuffers))
const { bytes, completeness } = await fetchPipeline({ name: 'large', source }, { to, onProgress })
const { status } = completeness
process.stdout.write(JSON.stringify({ bytes, status, peak }))
