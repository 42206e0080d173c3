/**
 * What each folder of src/ imports, lowest first: itself and those named here. A line names only folders above it, so
 * that no import goes up. Files of `rootFiles` are for all.
 */
const imports = {
  manifest: '',
  text: '',
  codes: '',
  contracts: 'text codes',
  types: 'text contracts',
  records: 'manifest text codes contracts types',
  formats: 'manifest text contracts types records',
  storage: 'text records/memory',
  sources: 'manifest text codes records storage',
  service: 'manifest text codes contracts types records sources',
  config: 'manifest text codes contracts types records formats storage service',
  plan: 'manifest text codes contracts types records formats storage sources service config',
  kernel: 'manifest text codes contracts types records formats plan',
  loads: 'manifest text codes types records formats storage service config plan',
  lake: 'manifest text codes types records formats storage service config plan loads',
  report: 'manifest text codes types records sources kernel loads',
  describe: 'manifest text codes contracts types records formats storage sources service config plan loads lake',
  engine:
    'manifest text codes contracts types records formats storage sources service config plan kernel loads lake report describe',
  inspect:
    'manifest text codes contracts types records formats storage sources service config plan kernel loads lake report describe engine',
  shards:
    'manifest text codes contracts types records formats storage sources service config plan kernel loads report engine inspect',
  media: 'manifest text codes contracts records storage service config plan engine',
  streams: 'manifest text codes contracts types records formats sources config plan kernel engine',
  catalogue: 'manifest text contracts types records sources service config plan kernel engine streams',
  users: 'manifest text codes records storage sources service',
  doctor: 'manifest text codes contracts types records sources service',
  sandbox: 'manifest text contracts types records service',
  cli: 'manifest text codes contracts types records formats storage sources service config plan kernel loads report describe engine inspect media users doctor sandbox shards',
}

const rootFiles = [
  'errors.ts',
  'check-options.ts',
  'optional-package.ts',
  'package-file.ts',
  'run-context.ts',
  'watch-callbacks.ts',
]

/** Subfolders that import only those named before them. */
const orders = {
  service: ['endpoints', 'http', 'read'],
  kernel: ['program', 'scan', 'profile', 'rules', 'encode'],
  engine: ['observe', 'reading', 'outputs', 'doubts', 'run', 'fetch'],
}

/** The rule for the files of a folder, and for those of its subfolders, whose way out is longer. */
function toOverrides([folder, names]) {
  const allowed = names.split(' ').filter((name) => name !== '')
  const message = `src/${folder}/ imports only ${allowed.map((name) => `${name}/`).join(', ') || 'its own files'}`
  const toPattern = (out) => {
    const files = [...rootFiles, ...allowed.map((name) => `${name}/**`)].map((name) => `!${out}${name}`)
    return { group: [`${out}**`, ...files], message }
  }
  const toOverride = (files, patterns) => {
    return { files: [`src/${folder}/${files}.ts`], rules: { 'no-restricted-imports': ['error', { patterns }] } }
  }
  const order = orders[folder] ?? []
  const ordered = order.map((name, at) => {
    const later = order.slice(at + 1)
    const group = later.map((each) => `../${each}/**`)
    const upward = { group, message: `src/${folder}/${name}/ imports nothing of ${later.join(', ')}` }
    return toOverride(`${name}/*`, [toPattern('../../'), ...(later.length === 0 ? [] : [upward])])
  })
  const levels = ['*', '*/*', '*/*/*'].map((files, at) => toOverride(files, [toPattern('../'.repeat(at + 1))]))
  return [...levels, ...ordered]
}

export default {
  plugins: ['typescript', 'import', 'node', 'promise', 'unicorn', 'vitest'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
    perf: 'error',
  },
  env: {
    node: true,
    es2024: true,
  },
  ignorePatterns: ['/kernel', 'dist', '/out', '/data', 'fixtures'],
  rules: {
    'no-empty': [
      'error',
      {
        allowEmptyCatch: false,
      },
    ],
    'no-await-in-loop': 'off',
    'import/no-cycle': 'error',
    'import/no-duplicates': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    eqeqeq: ['error', 'always'],
    'max-lines': [
      'error',
      {
        max: 400,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    'unicorn/no-array-sort': 'off',
    'typescript/consistent-return': 'off',
    'consistent-return': 'off',
  },
  overrides: Object.entries(imports).flatMap(toOverrides),
}
