import { ANSWERS } from './cases/answers.ts'
import { CHUNKED } from './cases/chunked.ts'
import { CONDITIONS } from './cases/conditions.ts'
import { CONNECTIONS } from './cases/connections.ts'
import { FIELDS } from './cases/fields.ts'
import { FRAMING } from './cases/framing.ts'
import { RANGES } from './cases/ranges.ts'
import { REQUEST_LINE } from './cases/request-line.ts'
import { TARGETS } from './cases/targets.ts'
import type { Probe } from './probe.ts'

/** All probes, in the order of the table. */
export const CATALOGUE: readonly Probe[] = [
  ...REQUEST_LINE,
  ...TARGETS,
  ...FIELDS,
  ...FRAMING,
  ...CHUNKED,
  ...CONNECTIONS,
  ...ANSWERS,
  ...CONDITIONS,
  ...RANGES,
]
