import { contracts } from '../src/contracts/contracts.ts'

/** The section of docs/contracts.md on products of both versions. */
export function formatBothVersions(): string {
  const [v3, v4] = [contracts['v3/product'].fields, contracts['v4/product'].fields]
  const onlyV4 = [...v4.keys()].filter((name) => !v3.has(name)).map((name) => `\`${name}\``)
  return `## Products of both versions

\`contract: product\` reads the products of v3 and of v4 in one run, into one set of columns:

\`\`\`yaml
source: { files: [v3.ndjson.gz, v4.ndjson.gz], contract: product }
\`\`\`

Two columns of \`products\` say where a row comes from; both may be selected in every table:

| From | Column | Meaning |
|---|---|---|
| \`interfaceVersion\` | \`interface_version\` | \`v3\` or \`v4\` |
| \`documentedPriceUnit\` | \`documented_price_unit\` | the unit that the specification of this version writes beside prices: \`EUR cents\` in v3, \`EUR\` in v4 |

**No amount is converted.** The second column is what the specification says, not what was found: deliveries of v4 have had whole numbers
in the smallest unit too (820 is 8.20), and [\`doctor\`](service.md) compares the price of a product in both. Look before adding up: where two exports have the same
products, \`diff v3.ndjson v4.ndjson --contract product --only publicPrice\` finds no difference if both deliver the same unit, and one in
every product if not;
\`as: 'decimal(12,2)'\` takes one \`unit\` for all rows, so it is right where both versions deliver the same unit.

The version of a file is that of the endpoint that it was [landed](reading.md) from, or \`source.interface: v3\`
(or \`v4\`), or that whose own fields the first records have. Where they have only fields of both, the run ends before anything is written,
and asks for \`source.interface\`; standard input always needs it. An endpoint of products takes \`contract: product\` too, and knows its
version. One file is of one version; a run looks at the first and the last line of each MB, and warns where one is of the other. Tables without these two columns (\`exclude: [interfaceVersion, documentedPriceUnit]\`) need none.
Conditions (\`where\`) are on fields of records, not on these two; for one version, name its files. In outputs that keep a state
(\`merge\`, \`history\`) a product that comes from the other version with the same content is a change, as its row is another one.

| In v3 | In v4 | In \`product\` |
|---|---|---|
| \`photos[].type\`, \`frontals[].type\` | \`photos[].photoType\`, \`frontals[].photoType\` | the column \`photo_type\`: \`photoType\`, or else \`type\`. Conditions on \`photoType\` mean the same; \`type\` can still be selected |
| \`links[].type\` | \`links[].linkType\` | the column \`link_type\`: \`linkType\`, or else \`type\` |
| \`descriptions[].content\`: \`{ html, markdown }\` by locale | HTML as text by locale | \`content_nl_html\` has both, \`content_nl_markdown\` what v3 has |
| \`formats\` of photos with \`mediumJpeg\`, \`largeJpg\` | without these in photos | a column for each size |
| \`id\`: a whole number or text | text | text |
| \`apbCategory\`, \`bcfiCategory\`, \`productFamily\`: one object | a list | child tables |
| \`status\` without \`no_selection\` | with it | all values |
| prices in EUR cents, as the specification has it | prices in EUR | whole numbers as delivered, and \`documented_price_unit\` |
| \`meta\` without \`publicPageUrl\` | with it | empty for v3 |

Not mapped, each kept as it is, because they don't mean quite the same:

| In v3, deprecated or another list in v4 | In v4 |
|---|---|
| \`weight\`, \`width\`, \`length\`, \`depth\` in grams and millimeters | \`weightWithUnit\`, \`widthWithUnit\`, \`lengthWithUnit\`, \`depthWithUnit\` |
| \`gtin\`, \`ean\` | \`eanGtin8\`, \`eanGtin12\`, \`eanGtin13\`, \`eanGtin14\` |
| \`attributes\` | \`colors\`, \`dietaryRestrictions\`, \`galenicShapes\` |
| \`publicCategories\` | \`publicCategories\`, and \`catalogCategories\`, which are others |
| \`conservation\` | \`conservation\`, and \`conservationMin\`, \`conservationMax\` as temperatures |

v3 has no field that v4 lacks but those above. Only v4 has ${onlyV4.join(', ')}: they are empty in rows of v3.

A product may be in both deliveries under one id. \`duplicates: last\` keeps that of the file that is listed last: list v3 first to keep
v4's. With \`duplicates: keep\`, the default for files, both have a row, \`id\` alone is no key, and child tables are joined by id to both:
what \`ddl\` prints has no primary key, \`describe\` says \`id\` as for every contract, and outputs that keep a state (\`merge\`, \`history\`,
databases) have \`duplicates: last\` by default: there the product that was [changed last](incremental.md) stays, whichever file it is in,
and of two changed at one time that of the file listed last.

`
}
