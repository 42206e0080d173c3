import * as yearRange from '../src/contracts/year-range.ts'
import * as rowGroupLayout from '../src/formats/parquet/row-group-layout.ts'
import * as blockLayout from '../src/kernel/program/block-layout.ts'
import * as nodeLayout from '../src/kernel/program/node-layout.ts'
import * as stateLayout from '../src/kernel/profile/state-layout.ts'
import * as idLayout from '../src/records/id-layout.ts'
import * as inflateLayout from '../src/records/memory/inflate-layout.ts'

/** The numbers that the kernel and JavaScript share, as constants of Rust. */
export function formatKernelLayout(): string {
  const files = {
    'src/kernel/program/block-layout.ts': blockLayout,
    'src/kernel/program/node-layout.ts': nodeLayout,
    'src/records/id-layout.ts': idLayout,
    'src/records/memory/inflate-layout.ts': inflateLayout,
    'src/kernel/profile/state-layout.ts': stateLayout,
    'src/formats/parquet/row-group-layout.ts': rowGroupLayout,
    'src/contracts/year-range.ts': yearRange,
  }
  const sections = Object.entries(files).map(([file, layout]) => {
    const constants = Object.entries(layout)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(
        ([name, value]) => `pub const ${toConstantName(name)}: ${layout === yearRange ? 'i64' : 'usize'} = ${value};`,
      )
    return `// ${file} says what these are.\n${constants.join('\n')}\n`
  })
  return `//! Layouts that JavaScript writes or reads too. Made from them by \`npm run docs\`.\n\n${sections.join('\n')}`
}

function toConstantName(name: string): string {
  return name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
}
