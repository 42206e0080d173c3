import { noteLocales } from '../../../engine/doubts/sample-locales.ts'
import { exitCodes } from '../../../errors.ts'
import { checkSharding } from '../../../shards/plan/check-sharding.ts'
import { defineCommand } from '../../command.ts'
import { loadPipelines, type LoadedPipeline, type LoadOptions } from '../../load-pipelines.ts'
import { noteMissingFiles } from '../../note-missing-files.ts'
import { argument, flag } from '../../parameter.ts'
import { configOptions } from '../../shared-options.ts'
import { renderNotes, renderProblems, toProblemJson } from '../../render/render-error.ts'
import { countOf } from '../../../text/format-count.ts'
import { colorsFor, columnsOf, log, writeJson } from '../../terminal.ts'

export const checkCommand = defineCommand({
  description: 'Lists every problem in the configs. Needs no secrets and no network.',
  otherNames: ['validate', 'lint', 'test', 'config'],
  arguments: { files: argument('<config...>', 'YAML, JSON, .ts or .js files') },
  options: {
    ...configOptions,
    shards: flag('check as well that the pipelines can be run in shards'),
    json: flag('write the problems as JSON to standard output'),
  },
  examples: ['catalogue-etl check pipelines/*.yaml'],
  async run({ files, shards, json, ...options }, terminal) {
    const toLoad: LoadOptions = {
      ...options,
      needsService: false,
      checkPlan: shards ? checkSharding : undefined,
      notePlan: async ({ source, records }) => [
        ...(await noteMissingFiles(source)),
        ...(await noteLocales(source, records, terminal)),
      ],
    }
    const loaded = await loadPipelines(files, toLoad, terminal)
    const problems = loaded.flatMap((pipeline) => pipeline.problems)
    const colors = colorsFor(terminal.stderr, terminal.env)
    const columns = columnsOf(terminal.stderr)
    if (json) {
      const notes = loaded.flatMap((pipeline) => pipeline.notes).map(toProblemJson)
      const unset = listUnset(loaded).map(({ name }) => name)
      writeJson(terminal, { ok: problems.length === 0, problems: problems.map(toProblemJson), notes, unset })
    } else {
      for (const pipeline of loaded) {
        if (pipeline.problems.length === 0) log(terminal, `${pipeline.file}: ${colors.green('no problem')}`)
        else log(terminal, renderProblems(pipeline.problems, colors, columns))
        if (pipeline.notes.length > 0) log(terminal, renderNotes(pipeline.notes, colors, columns))
      }
      if (problems.length > 0) log(terminal, colors.red(countOf(problems.length, 'problem')))
      const unset = listUnset(loaded)
      if (unset.length > 0) log(terminal, colors.yellow(describeUnset(unset)))
    }
    return problems.length === 0 ? exitCodes.published : exitCodes.usage
  },
})

interface UnsetVariable {
  readonly name: string
  readonly files: readonly string[]
}

function listUnset(loaded: readonly LoadedPipeline[]): UnsetVariable[] {
  const names = new Set(loaded.flatMap(({ unset = [] }) => unset))
  return [...names].map((name) => ({
    name,
    files: loaded.flatMap(({ file, unset = [] }) => (unset.includes(name) ? [file] : [])),
  }))
}

function describeUnset(unset: readonly UnsetVariable[]): string {
  const names = unset.map(({ name }) => name).join(', ')
  const [first = '', ...others] = new Set(unset.flatMap(({ files }) => files))
  const configs = others.length === 0 ? first : `${first} and ${others.length} more`
  const [verb, them] = unset.length === 1 ? ['is', 'it'] : ['are', 'them']
  return `note: ${names} ${verb} not set: a run needs ${them}, in the environment or by --env FILE (${configs})`
}
