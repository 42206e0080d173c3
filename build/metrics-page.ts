import { families } from '../src/cli/log/metrics.ts'

/** Writes `docs/metrics.md`: every metric of `--metrics`. */
export function formatMetrics(): string {
  const rows = families.map(({ name, help }) => `| \`${name}\` | ${help} |\n`)
  return `# Every metric

Made from the code by \`npm run docs\`: what \`run --metrics FILE\` [writes](scheduling.md#logs-reports-and-metrics). All have the label
\`pipeline\`; what stands behind "by" is the others, such as \`outcome\`, or \`table\` and \`format\`.

| Metric | Meaning |
|---|---|
${rows.join('')}`
}
