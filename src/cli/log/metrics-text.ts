import { families, type Sample } from './metrics.ts'

/** OpenMetrics text, which the older Prometheus format reads too: gauges, no times of samples. */
export function formatMetrics(samples: readonly Sample[]): string {
  const lines = families.flatMap(({ name, help, unit }) => {
    const own = samples.filter((sample) => sample.name === name)
    if (own.length === 0) return []
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`]
    return [...head, ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]), ...own.map(formatSample)]
  })
  return [...lines, '# EOF', ''].join('\n')
}

/** The samples of a text that `formatMetrics` made; lines that it does not make are left out. */
export function parseMetrics(text: string): Sample[] {
  const names = new Set(families.map(({ name }) => name))
  return text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)\{(.*)\} (\S+)$/s.exec(line) ?? []
    const number = Number(value)
    return names.has(name) && Number.isFinite(number) ? [{ name, labels: parseLabels(labels), value: number }] : []
  })
}

function formatSample({ name, labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escape(text)}"`)
  return `${name}{${pairs.join(',')}} ${value}`
}

function escape(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

function parseLabels(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gs)
  return Object.fromEntries([...pairs].map(([, label = '', value = '']) => [label, unescape(value)]))
}

function unescape(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character))
}
