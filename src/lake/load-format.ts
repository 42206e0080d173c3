import type { LakeFormat } from './lake-format.ts'
import type { LakeOutputPlan } from './lake-plan.ts'

export async function loadFormat({ target }: Pick<LakeOutputPlan, 'target'>): Promise<LakeFormat> {
  switch (target.format) {
    case 'delta':
      return (await import('./delta/delta-format.ts')).delta
    case 'iceberg':
      return (await import('./iceberg/iceberg-format.ts')).iceberg
  }
}
