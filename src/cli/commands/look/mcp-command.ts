import { defineCommand } from '../../command.ts'
import { serveTools } from '../../mcp/serve-tools.ts'
import { loadTools } from '../../mcp/tools.ts'
import { flag } from '../../parameter.ts'

export const mcpCommand = defineCommand({
  description:
    'Serves the commands that only read as tools for assistants: the Model Context Protocol over standard input and output.',
  otherNames: ['assistant', 'agent', 'ai', 'llm', 'serve'],
  options: { allowRun: flag('serve `run` as well, which writes the outputs that a config names') },
  before: `Needs the package @modelcontextprotocol/sdk. The tools are describe, check, plan, preview, profile, rejects,
trace, diff, sql and verify. They take no config that is code, and no option that writes a file, replaces a value of a
config or starts a program. They can read what this user can read; configs can use the variables of this environment.`,
  examples: ['catalogue-etl mcp', 'catalogue-etl mcp --allow-run'],
  async run({ allowRun = false }, terminal) {
    await serveTools(await loadTools(allowRun), terminal)
  },
})
