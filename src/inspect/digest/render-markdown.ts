import {
  describeEntry,
  describeSpan,
  describeUnits,
  groupEntries,
  hasSeveralPrices,
  summarize,
} from './digest-groups.ts'
import type { Digest } from './digest-schema.ts'

/** A digest as Markdown, with a table for each kind of change of a brand. */
export function renderMarkdown(digest: Digest, most: number): string {
  const { groups, left } = groupEntries(digest, most)
  const several = hasSeveralPrices(digest)
  const notes = [...digest.notes, ...(describeUnits(digest) === null ? [] : [describeUnits(digest)])]
  const lines = [
    `# ${escape(digest.pipeline)}: ${summarize(digest)}`,
    '',
    describeSpan(digest),
    ...notes.flatMap((note) => ['', `- ${escape(note ?? '')}`]),
    ...groups.flatMap(({ brand, sections }) => [
      '',
      `## ${escape(brand)}`,
      ...sections.flatMap(({ title, entries }) => [
        '',
        `### ${title}`,
        '',
        '| Code | Product | Change |',
        '| --- | --- | --- |',
        ...entries.map(
          (entry) =>
            `| ${escape(entry.code ?? entry.id)} | ${escape(entry.name ?? entry.id)} | ${escape(describeEntry(entry, several))} |`,
        ),
      ]),
    ]),
    ...(left === 0 ? [] : ['', `… and ${left} more.`]),
  ]
  return `${lines.join('\n')}\n`
}

/** Keeps names from being read as Markdown or HTML. */
function escape(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, String.raw`\$&`)
}
