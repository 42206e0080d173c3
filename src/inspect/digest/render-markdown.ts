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

/** Keeps names from being read as Markdown or HTML. Signs that mean nothing where they are stay as they are: `public_price`, `3 * 4`. */
function escape(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(inline, String.raw`\$&`)
    .replace(/^(?=>|#{1,6}(?: |$)|[-+*](?:[ -]|$))/, '\\')
    .replace(/^\d+(?=[.)](?: |$))/, '$&\\')
}

/** By what each means: code, a link, a cell; an escape; emphasis; deletion; emphasis outside of words; HTML; an entity; the end of a heading. */
const inline = new RegExp(
  [
    /[`[|]/u,
    /\\(?=[!-/:-@[-`{-~]|$)/u,
    /\*(?=\S)|(?<=\S)\*/u,
    /~(?=\S)|(?<=\S)~/u,
    /(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
    /<(?=[A-Za-z/!?])/u,
    /&(?=#?\w+;)/u,
    /(?<=^|[ #])#(?=#*$)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)
