import type { ConfigError } from '@gatewright/core'

/** Where a mistake is, and what it is: a message about an included file begins with the places of the files inside the one that the error is about. */
export function innermostMistake({ file, line, message }: ConfigError): {
  readonly file: string
  readonly line: number
  readonly message: string
} {
  let inner = { file, line, message }
  for (let found = NESTED.exec(inner.message); found !== null; found = NESTED.exec(inner.message))
    inner = { file: found[2], line: Number(found[1]), message: inner.message.slice(found[0].length) }
  return inner
}

const NESTED = /^Syntax error on line (\d+) of (.+?): /
