import { type FormatPart, parseFormat } from './parse-format.ts'

const parsed = parseFormat('%h %l %u %t "%r" %s %b', () => true)

/** The Common Log Format: the default format of TransferLog, and of the predefined nickname `CLF`. */
export const CLF: readonly FormatPart[] = 'error' in parsed ? [] : parsed
