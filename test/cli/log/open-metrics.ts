export interface ParsedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/**
 * Parses OpenMetrics gauges strictly by the rules of the specification, and of the older format that collectors of text
 * files read. Throws at a line that breaks one.
 */
export function parseOpenMetrics(text: string): ParsedSample[] {
  if (!text.endsWith('\n# EOF\n') && text !== '# EOF\n') throw new Error('expected "# EOF" and a line feed at the end')
  if (/\r|\n\n|\t/.test(text)) throw new Error('expected no blank line, carriage return or tab')
  const samples: ParsedSample[] = []
  const families = new Map<string, Map<string, string>>()
  const series = new Set<string>()
  let family = ''
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) ([a-zA-Z_:][\w:]*) (.*)$/.exec(line) ?? []
    if (keyword !== undefined) {
      if (name !== family && families.has(name)) throw new Error(`expected the lines of "${name}" together`)
      family = name
      const metadata = families.get(name) ?? new Map<string, string>()
      families.set(name, metadata)
      if (metadata.has(keyword) || metadata.has('sample'))
        throw new Error(`expected ${keyword} of "${name}" once, first`)
      if (keyword === 'TYPE' && rest !== 'gauge') throw new Error(`expected gauges, got ${rest}`)
      if (keyword === 'UNIT' && !name.endsWith(`_${rest}`)) throw new Error(`expected "${name}" to end in ${rest}`)
      if (keyword === 'HELP' && /["\\]/.test(rest)) throw new Error('a quote means another thing in either format')
      metadata.set(keyword, rest)
      continue
    }
    const sample = parseSample(line)
    if (sample.name !== family || families.get(family)?.get('TYPE') !== 'gauge') throw new Error(`no TYPE: ${line}`)
    families.get(family)?.set('sample', '')
    const labels = Object.entries(sample.labels).map((label) => JSON.stringify(label))
    const key = [sample.name, ...labels.toSorted()].join(' ')
    if (series.has(key)) throw new Error(`expected each series once: ${line}`)
    series.add(key)
    samples.push(sample)
  }
  for (const [name, metadata] of families) if (!metadata.has('sample')) throw new Error(`no sample of ${name}`)
  return samples
}

/** Has no timestamp: collectors of text files refuse them. */
function parseSample(line: string): ParsedSample {
  const [, name, labels, number] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line) ?? []
  if (name === undefined || number === undefined) throw new Error(`expected a sample, got ${line}`)
  return { name, labels: parseLabels(labels ?? ''), value: Number(number) }
}

function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== '';) {
    const [all, name = '', value = ''] = /^([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,(?=.)|$)/.exec(rest) ?? []
    if (all === undefined || Object.hasOwn(labels, name)) throw new Error(`expected labels, got ${rest}`)
    labels[name] = value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
    rest = rest.slice(all.length)
  }
  return labels
}
