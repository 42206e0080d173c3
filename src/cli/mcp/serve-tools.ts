import { once } from 'node:events'
import { CatalogueError, messageOf } from '../../errors.ts'
import { requireOptional } from '../../optional-package.ts'
import { readToolVersion } from '../../package-file.ts'
import type { Terminal } from '../terminal.ts'
import { callTool } from './call-tool.ts'
import { type Tool, toInputSchema } from './tools.ts'

/** Serves tools over the standard streams until the input ends or the signal aborts. Throws PEER_MISSING. */
export async function serveTools(tools: readonly Tool[], terminal: Terminal): Promise<void> {
  const { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema } = loadSdk()
  const { version } = readToolVersion()
  const server = new Server(
    { name: 'catalogue-etl', title: 'Product catalogue', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal }) => {
    const tool = tools.find((each) => each.name === name)
    const { text, isError } =
      tool === undefined
        ? { text: `${name}: expected one of ${tools.map((each) => each.name).join(', ')}`, isError: true }
        : await callTool(tool, input, { env: terminal.env, signal: AbortSignal.any([signal, terminal.signal]) })
    return { content: [{ type: 'text' as const, text }], isError }
  })
  const { stdin, stdout, signal } = terminal
  const ended = Promise.race([once(stdin, 'close'), once(stdin, 'end'), whenAborted(signal)])
  await server.connect(new StdioServerTransport(stdin, stdout))
  await ended
  await server.close()
}

const instructions = `Tools read exports of the Product Catalogue Data Service and the configs and outputs of pipelines.
Begin with check or plan for a config, with preview or profile for an export (.ndjson, .ndjson.gz), and with describe for what
columns mean; describe takes the name of a contract, such as v4/product, too. trace tells what became of one record and why,
rejects why lines were rejected, diff what changed. Paths are relative to the folder that the server was started in.`

function describeTool(tool: Tool) {
  const { name, command, writes } = tool
  return {
    name,
    description: [command.description, command.before].filter((text) => text !== undefined).join('\n'),
    inputSchema: toInputSchema(tool),
    annotations: { readOnlyHint: !writes, destructiveHint: writes, idempotentHint: true, openWorldHint: writes },
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function loadSdk() {
  try {
    return {
      ...(requireOptional('@modelcontextprotocol/sdk/server/index.js') as ServerModule),
      ...(requireOptional('@modelcontextprotocol/sdk/server/stdio.js') as StdioModule),
      ...(requireOptional('@modelcontextprotocol/sdk/types.js') as TypesModule),
    }
  } catch (thrown) {
    const message = `mcp: expected the package "@modelcontextprotocol/sdk", got: ${messageOf(thrown).split('\n')[0]}`
    throw new CatalogueError('PEER_MISSING', message, {
      cause: thrown,
      fix: 'Install it beside catalogue-etl: `npm install @modelcontextprotocol/sdk`.',
    })
  }
}

type ServerModule = typeof import('@modelcontextprotocol/sdk/server/index.js')
type StdioModule = typeof import('@modelcontextprotocol/sdk/server/stdio.js')
type TypesModule = typeof import('@modelcontextprotocol/sdk/types.js')
