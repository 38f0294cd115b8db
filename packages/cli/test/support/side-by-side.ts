import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { byteArguments } from '../../src/argument-bytes.ts'
import type { ToolConsole } from '../../src/tool-console.ts'

/** The result of a command line; text is bytes, one character each. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Administrators' programs are not in every user's search path. */
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter) }

/** Runs one of httpd's own tools, without a terminal. */
export function theirs(program: string, args: readonly string[], input: string): Outcome {
  const command = ['-w', program, ...args]
  const { status, stdout, stderr } = spawnSync('setsid', command, { env, input, encoding: 'latin1', timeout: 300_000 })
  return { status, out: stdout, err: stderr }
}

/** The value of `skip` for a test that needs httpd's own tools. */
export function missingTools(): string | false {
  const missing = ['htdbm', 'httxt2dbm'].filter((program) => !/Usage/.test(theirs(program, [], '').err ?? ''))
  return missing.length === 0 ? false : `${missing.join(' and ')} not installed`
}

/** Runs one of our tools in this process. */
export async function ours(
  tool: (argv: readonly string[], console: ToolConsole) => number | Promise<number>,
  args: readonly string[],
  input: string,
): Promise<Outcome> {
  let [out, err, rest] = ['', '', Buffer.from(input, 'latin1')]
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  const status = await tool(byteArguments(args), {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    readInput: take,
    ask: async (prompt) => {
      err += prompt
      const newline = rest.indexOf('\n')
      return take(newline < 0 ? rest.length : newline + 1)
        .toString('latin1')
        .replace(/\n$/, '')
    },
  })
  return { status, out, err }
}

/** Two empty folders, one for each side. */
export function folders(directory: string): { readonly theirs: string; readonly ours: string } {
  const pair = { theirs: join(directory, 'theirs'), ours: join(directory, 'ours') }
  for (const folder of Object.values(pair)) mkdirSync(folder)
  return pair
}

/**
 * A result without permitted differences: the folder, salts and hashes, the text about the options, hints,
 * and output of the libraries.
 */
export function comparable({ status, out, err }: Outcome, folder: string): Outcome {
  const plain = (text: string): string =>
    withoutHashes(text)
      .replaceAll(`${folder}/`, '')
      .replace(/^hint: .*\n/gm, '')
      .replace(/^BDB.*\n/gm, '')
      .replace(/(Options:)[\s\S]*/, '$1')
  return { status, out: plain(out), err: plain(err) }
}

/** A text with the names of schemes instead of random salts and their hashes. */
export function withoutHashes(text: string): string {
  return text
    .replace(/\$apr1\$[./0-9A-Za-z]{8}\$[./0-9A-Za-z]{22}/g, '$apr1$')
    .replace(/(\$2y\$\d\d\$)[./0-9A-Za-z]{53}/g, '$1')
    .replace(/((?:u:|^))[./0-9A-Za-z]{13}$/gm, '$1crypt')
}
