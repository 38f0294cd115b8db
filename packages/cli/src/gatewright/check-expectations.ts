import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath } from './byte-path.ts'

/** Where a tree has its expectations, the first that is there. Servers refuse names that begin with .ht. */
const NAMES = ['.htexpect', '.gatewright']

/** An expectations file as it was found. */
export interface ExpectationsText {
  /** As it is shown. */
  readonly name: string
  /** One character for each byte. */
  readonly text: string
}

/**
 * @param named by --expect; null: the tree is asked
 * @param folder the tree; null where there is none
 * @returns null when nothing is expected
 * @throws the system's error
 */
export function findExpectations(named: string | null, folder: string | null): ExpectationsText | null {
  if (named === '-') return { name: 'standard input', text: readFileSync(0, 'latin1') }
  if (named !== null) return { name: named, text: readFileSync(bytePath(named), 'latin1') }
  if (folder === null) return null
  const name = NAMES.map((one) => join(folder, one)).find((path) => isFile(path))
  return name === undefined ? null : { name, text: readFileSync(bytePath(name), 'latin1') }
}

function isFile(path: string): boolean {
  return statSync(bytePath(path), { throwIfNoEntry: false })?.isFile() === true
}
