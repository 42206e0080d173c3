import { dialectNames } from '../../../sandbox/dialect/dialect.ts'
import { choice, withDefault } from '../../parameter.ts'

/** For the commands that generate data. */
export const dialect = withDefault(
  choice('<name>', 'documented, or loose: as answers have been seen where the specification is silent', dialectNames),
  'documented',
)
