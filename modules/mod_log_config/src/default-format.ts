import { type FormatPart, parseFormat } from './parse-format.ts'

const parsed = parseFormat('%h %l %u %t "%r" %s %b', () => true)

/** The Common Log Format: what TransferLog writes when no LogFormat says otherwise, and the one nickname that is always there, `CLF`. */
export const CLF: readonly FormatPart[] = 'error' in parsed ? [] : parsed
