import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath } from '../byte-path.ts'

/**
 * Possible files of expectations in a tree; the first that exists is used. Servers deny names that begin with
 * .ht.
 */
const NAMES = ['.htexpect', '.gatewright']

/** An expectations file as it was found. */
export interface ExpectationsText {
  /** The file's name in messages. */
  readonly name: string
  /** One character for each byte. */
  readonly text: string
}

/**
 * @param named by --expect; null: look in the tree
 * @param folder the tree; null if there is none
 * @returns null if there are no expectations
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
