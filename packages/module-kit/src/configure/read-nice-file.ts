import { ConfigureError } from './configure-error.ts'
import type { NiceFile } from './nice-text.ts'
import { optionOfPhp } from './recorded-by-php.ts'

/**
 * Reads a config.nice that httpd's configure or ours recorded, without running it. Only the recorded form is
 * accepted: comments, exported variables, and one command of quoted words that ends in `"$@"`.
 * @param file its name, for messages
 * @throws ConfigureError with file and line of the first invalid text, or with the name of the other program
 * whose configure recorded the file
 */
export function readNiceFile(text: string, file: string): NiceFile {
  const foreign = optionOfPhp(text)
  if (foreign !== undefined)
    throw new ConfigureError(
      `${file}: configure of PHP, not of httpd, recorded this command: it contains ${foreign}`,
      'name the config.nice of httpd: configure writes it to the source folder, and make install to the build/ folder of the installation',
    )
  const variables: [string, string][] = []
  const words: string[] = []
  let ended = false
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const place = `${file}:${index + 1}`
    if (words.length === 0 && /^\s*(#.*)?$/.test(line)) continue
    if (ended && line.trim() === '') continue
    if (ended) throw unexpected(place, 'nothing may follow "$@"')
    const [, name, value, exported] = /^([A-Za-z_]\w*)=("(?:[^"\\]|\\.)*"); export (\w+)\s*$/.exec(line) ?? []
    if (words.length === 0 && name !== undefined && value !== undefined && name === exported) {
      variables.push([name, unquoted(value, place)])
      continue
    }
    ended = readWords(line, place, words)
  }
  if (!ended) throw unexpected(`${file}:${lines.length}`, 'the command is truncated: "$@" is missing')
  const [program, ...rest] = words
  if (program === undefined) throw unexpected(file, 'there is no command')
  return { variables, program, words: rest }
}

/** Adds the words of one line of the command. @returns whether the command ends on this line */
function readWords(line: string, place: string, words: string[]): boolean {
  let rest = line.trim()
  while (rest !== '' && rest !== '\\') {
    if (rest === '"$@"') return true
    const [word] = /^("(?:[^"\\]|\\.)*"|'[^']*')(?=\s|$)/.exec(rest) ?? []
    if (word === undefined) throw unexpected(place, 'a word in quotes, "\\" at the end of a line, or "$@" was expected')
    words.push(unquoted(word, place))
    rest = rest.slice(word.length).trimStart()
  }
  if (rest === '') throw unexpected(place, 'the line does not end with "\\", and "$@" is missing')
  return false
}

function unquoted(word: string, place: string): string {
  const inside = word.slice(1, -1)
  if (word.startsWith("'")) return inside
  // A shell would expand text after these characters; recorded words do not contain them.
  if (/(?<!\\)(?:\\\\)*[$`]/.test(inside)) throw unexpected(place, '$ and ` are not part of what configure records')
  return inside.replace(/\\(["\\$`])/g, '$1')
}

function unexpected(place: string, what: string): ConfigureError {
  return new ConfigureError(
    `${place}: not what configure writes: ${what}`,
    'the file is parsed, never executed, so it must be as configure recorded it; pass other options on the command line instead',
  )
}
