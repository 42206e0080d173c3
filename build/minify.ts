import { basename } from 'node:path'
import type { Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { readOrigins, toLineMap } from './source-maps.ts'

/** Makes a module small, in ASCII; classes keep their names, which errors show. */
export function minify(fileName: string, code: string): { code: string; mappings: string } {
  const {
    code: small,
    map,
    errors,
  } = minifySync(fileName, code, {
    module: true,
    compress: { keepNames },
    mangle: { keepNames },
    codegen: { asciiOnly: true },
    sourcemap: true,
  })
  if (errors[0] !== undefined) throw new Error(`${fileName}: ${errors[0].message}`)
  return { code: small, mappings: map?.mappings ?? '' }
}

const keepNames = { function: false, class: true }

/** Makes modules small once they are as they will be. */
export const minifiedModules: Plugin = {
  name: 'minified modules',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      const { fileName } = file
      const { code, mappings } = minify(fileName, file.code)
      delete files[`${fileName}.map`]
      file.code = code
      const folder = fileName.includes('/') ? '../../' : '../'
      const source = toLineMap(mappings, readOrigins(file), { folder })
      if (source === null) continue
      this.emitFile({ type: 'asset', fileName: `${fileName}.map`, source })
      file.code += `\n//# sourceMappingURL=${basename(fileName)}.map\n`
    }
  },
}
