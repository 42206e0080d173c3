import { chooseContract } from '../../contracts/choose-contract.ts'
import { contracts, type ContractName, isContractName, suits } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { withObjects } from '../../storage/s3/with-objects.ts'
import { readBeginning, recognizeExport } from '../../plan/source/recognize-export.ts'
import type { RequiredContext } from '../../run-context.ts'
import { readLanding } from '../../sources/landing-manifest.ts'
import type { LineSide } from './recognize-side.ts'

interface AgreeOptions extends RequiredContext<'env' | 'signal'> {
  readonly contract?: ContractName | undefined
}

/**
 * Chooses the contract of both sides: the given one, or the recognized one. A side without records takes that of the
 * other; null if neither has records. Throws CONFIG_INVALID if a side is not recognized, and USAGE if both differ.
 */
export async function agreeOnContract(
  old: LineSide,
  next: LineSide,
  options: AgreeOptions,
): Promise<ContractName | null> {
  if (options.contract !== undefined) return options.contract
  const [oldContract, newContract] = [await recognize(old, options), await recognize(next, options)]
  if (oldContract !== null && newContract !== null && oldContract !== newContract)
    throw unlike(old, oldContract, next, newContract)
  return oldContract ?? newContract
}

async function recognize({ files }: LineSide, { env, signal }: AgreeOptions): Promise<ContractName | null> {
  for (const path of files) {
    const landing = await withObjects(env, (objects) => readLanding(path, objects))
    if (landing !== null && isContractName(landing.contract.name)) return landing.contract.name
    const { records } = await readBeginning(path, { env, signal, most: 1, mostBytes: 1 })
    if (records.length > 0) return (await recognizeExport(path, { env, signal, choose: chooseContract })).contract
  }
  return null
}

function unlike(old: LineSide, oldContract: ContractName, next: LineSide, newContract: ContractName): CatalogueError {
  const message = `${next.path}: expected records of ${oldContract} as in ${old.path}, got those of ${newContract}`
  const fix = adviseOn(oldContract, newContract)
  return new CatalogueError('USAGE', message, { title: 'Records of different contracts cannot be compared', fix })
}

function adviseOn(oldContract: ContractName, newContract: ContractName): string {
  if (suits('product', oldContract) && suits('product', newContract))
    return 'Products of both versions are compared with `--contract product`: what only one of them has differs in all.'
  if (contracts[oldContract].record === contracts[newContract].record)
    return 'Fields of two interface versions have other names and forms: compare exports of the same version.'
  return 'Compare exports of the same resource. Where they are, `--contract NAME` says of which.'
}
