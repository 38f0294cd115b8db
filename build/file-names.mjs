// Part of `npm run lint`: names of source files are in kebab-case, with a hyphen between words.

import { execFileSync } from 'node:child_process'
import { basename } from 'node:path'
import { argv, exit } from 'node:process'

/** Names that look like two words but are one, or that httpd writes as one. */
const ONE_WORD = [
  'dataset',
  'endpoint',
  'hostname',
  'lifetime',
  'loopback',
  'multipart',
  'network',
  'password',
  'passwords',
  'runtime',
  'subrequest',
  'subrequests',
  'toolchain',
]

/** Shorter parts do not show whether a name consists of two words. */
const SHORTEST_WORD = 3

/** A file's name up to the first dot: `errno.test.ts` is `errno`. */
function stemOf(file) {
  return basename(file).replace(/\..*/, '')
}

/** A name's words, if it is a sequence of at least two known words without hyphens. */
function wordsRunTogether(name, known) {
  for (let end = SHORTEST_WORD; end <= name.length - SHORTEST_WORD; end += 1) {
    if (!known.has(name.slice(0, end))) continue
    const rest = name.slice(end)
    const words = known.has(rest) ? [rest] : wordsRunTogether(rest, known)
    if (words !== undefined) return [name.slice(0, end), ...words]
  }
  return undefined
}

/**
 * @param files paths of source files; the words in their names are the known words
 * @param modules names of modules without `mod_`, which may be a part of a file's name unchanged
 * @returns one line for each file whose name is not in kebab-case
 */
export function misnamedFiles(files, modules) {
  const asTheyAre = new Set([...ONE_WORD, ...modules.flatMap((name) => name.split('_'))])
  const known = new Set(
    files.flatMap((file) => stemOf(file).split('-')).filter((word) => word.length >= SHORTEST_WORD && !asTheyAre.has(word)),
  )
  return files.flatMap((file) => {
    const stem = stemOf(file)
    const parts = stem.split('-').map((part) => (asTheyAre.has(part) ? part : (wordsRunTogether(part, known)?.join('-') ?? part)))
    const better = parts
      .join('-')
      .replace(/(?<=[a-z0-9])(?=[A-Z])|_/g, '-')
      .toLowerCase()
    return better === stem ? [] : [`${file}: write ${better}${basename(file).slice(stem.length)}`]
  })
}

if (import.meta.filename === argv[1]) {
  const list = (...patterns) =>
    execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
      .trim()
      .split('\n')
  // Samples of modules are named as their authors would name them.
  const files = list('*.ts', '*.mjs', '*.cjs', ':!test/conformance', ':!test/upgrade-samples', ':!*/template/*')
  const modules = new Set(list('modules').map((file) => file.split('/')[1].replace(/^mod_/, '')))
  const complaints = misnamedFiles(files, [...modules])
  for (const complaint of complaints) console.error(complaint)
  if (complaints.length > 0) console.error('hint: a word that only looks like two belongs in ONE_WORD of build/file-names.mjs')
  exit(complaints.length > 0 ? 1 : 0)
}
