import type { Plugin } from 'rolldown'
import { minifySync } from 'rolldown/utils'

/** Makes a module small, in ASCII; classes keep their names, which errors show. */
export function minify(fileName: string, code: string): string {
  const { code: small, errors } = minifySync(fileName, code, {
    module: true,
    compress: { keepNames },
    mangle: { keepNames },
    codegen: { asciiOnly: true },
  })
  if (errors[0] !== undefined) throw new Error(`${fileName}: ${errors[0].message}`)
  return small
}

const keepNames = { function: false, class: true }

/** Makes modules small once they are as they will be. */
export const minifiedModules: Plugin = {
  name: 'minified modules',
  generateBundle(_, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = minify(file.fileName, file.code)
  },
}
