import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CatalogueError } from '../../errors.ts'
import type { RequiredContext } from '../../run-context.ts'

/**
 * The program that runs a script for Spark: the Python that PYSPARK_DRIVER_PYTHON or PYSPARK_PYTHON names, else `python3`, where it has
 * pyspark; else spark-submit of SPARK_HOME or PATH. Throws PEER_MISSING where there is none.
 */
export async function findSpark({ env }: RequiredContext<'env'>): Promise<string> {
  const python = env['PYSPARK_DRIVER_PYTHON'] || env['PYSPARK_PYTHON'] || 'python3'
  const failure = await findPyspark(python, env)
  if (failure === null) return python
  const submit = findSubmit(env)
  if (submit !== null) return submit
  throw new CatalogueError('PEER_MISSING', `Spark: expected a Python with pyspark, or spark-submit, got ${failure}`, {
    outputs: 'Nothing was read, nothing was published.',
    fix: `Install it (\`${python} -m pip install pyspark pyarrow\`), name a Python that has it in PYSPARK_PYTHON, or set SPARK_HOME to an installation of Spark.`,
  })
}

/** Null where pyspark is there; else what is missing. */
async function findPyspark(python: string, env: RequiredContext<'env'>['env']): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(python, ['-c', hasPyspark], { env: { ...env } }, (error) => {
      if (error === null) resolve(null)
      else resolve(error.code === 'ENOENT' ? `no "${python}" in PATH` : `no pyspark for "${python}"`)
    })
  })
}

/** To import it takes a second. */
const hasPyspark = 'import importlib.util as util, sys; sys.exit(util.find_spec("pyspark") is None)'

function findSubmit(env: RequiredContext<'env'>['env']): string | null {
  const home = env['SPARK_HOME'] === undefined ? [] : [join(env['SPARK_HOME'], 'bin')]
  const folders = [...home, ...(env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'spark-submit')).find((path) => existsSync(path)) ?? null
}
