import { readFile } from 'node:fs/promises'
import { type Command, summarize } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'

const [start, end] = ['<!-- npm run docs: the commands -->', '<!-- the end of the commands -->']

/** The README with the list of commands in it: each with its arguments, and the beginning of its description. */
export async function formatReadme(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const rows: (readonly [string, string])[] = [['Command', 'What it does']]
  for (const [name, load] of Object.entries(commands)) {
    const command = await load()
    const { commands: own = {} } = command
    const words = command.run === undefined ? [Object.keys(own).join('|')] : listNeeded(command)
    rows.push([`\`${[name, ...words].join(' ').replaceAll('|', String.raw`\|`)}\``, summarize(command.description)])
  }
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]!.length)))
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const table = [lines[0], rule, ...lines.slice(1)].join('\n')
  const before = readme.slice(0, readme.indexOf(start) + start.length)
  return `${before}\n\n${table}\n\n${readme.slice(readme.indexOf(end))}`
}

/** `CONFIG…` of `<config...>`, and the options that have to be given. */
function listNeeded({ arguments: taken = {}, options = {} }: Command): string[] {
  const required = Object.entries(options).filter(([, { isRequired }]) => isRequired === true)
  return [
    ...Object.values(taken).map(({ takes = '' }) => (takes.startsWith('[') ? `[${toName(takes)}]` : toName(takes))),
    ...required.map(([name, { takes = '' }]) => `--${name} ${toName(takes)}`),
  ]
}

function toName(takes: string): string {
  return takes.slice(1, -1).replace('...', '…').toUpperCase()
}
