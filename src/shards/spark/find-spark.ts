import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import type { RequiredContext } from '../../run-context.ts'

/**
 * The program that runs a script for Spark: the Python that PYSPARK_DRIVER_PYTHON or PYSPARK_PYTHON names, else
 * `python3`, if it has pyspark; else spark-submit of SPARK_HOME or PATH. Throws PEER_MISSING if there is none, or
 * pyspark lacks a package.
 */
export async function findSpark({ env }: RequiredContext<'env'>): Promise<string> {
  const python = env['PYSPARK_DRIVER_PYTHON'] || env['PYSPARK_PYTHON'] || 'python3'
  const missing = await listMissing(python, env)
  if (missing?.length === 0) return python
  if (missing !== null && !missing.includes('pyspark')) throw lacking(python, missing)
  const submit = findSubmit(env)
  if (submit !== null) return submit
  const got = missing === null ? `no "${python}" in PATH` : `no pyspark for "${python}"`
  throw new CatalogueError('PEER_MISSING', `Spark: expected a Python with pyspark, or spark-submit, got ${got}`, {
    outputs: nothingDone,
    fix: `Install it (\`${python} -m pip install pyspark pandas pyarrow\`), name a Python that has it in PYSPARK_PYTHON, or set SPARK_HOME to an installation of Spark.`,
  })
}

const nothingDone = 'Nothing was read, nothing was saved.'

function lacking(python: string, missing: readonly string[]): CatalogueError {
  const message = `Spark: expected the Python packages that pyspark needs in "${python}", got no ${missing.join(' and no ')}`
  const fix = `\`${python} -m pip install ${missing.join(' ')}\`; the executors need the same.`
  return new CatalogueError('PEER_MISSING', message, { outputs: nothingDone, fix })
}

async function listMissing(python: string, env: RequiredContext<'env'>['env']): Promise<string[] | null> {
  return new Promise((resolve) => {
    execFile(python, ['-c', printMissing], { env: { ...env } }, (error, stdout) => {
      if (error === null) resolve(stdout.split(/\s+/).filter((name) => name !== ''))
      else resolve(error.code === 'ENOENT' ? null : ['pyspark'])
    })
  })
}

/** Only finds the packages, because importing them takes seconds. */
const printMissing =
  'from importlib.util import find_spec; print(*(name for name in ("pyspark", "pandas", "pyarrow") if find_spec(name) is None))'

function findSubmit(env: RequiredContext<'env'>['env']): string | null {
  const home = env['SPARK_HOME'] === undefined ? [] : [join(env['SPARK_HOME'], 'bin')]
  const folders = [...home, ...(env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'spark-submit')).find((path) => existsSync(path)) ?? null
}
