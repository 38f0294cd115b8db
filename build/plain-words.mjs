// Part of `npm run lint`: finds words in comments and texts for which plain English has better ones.
//
// Messages of httpd keep their wording.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { argv, exit } from 'node:process'
import ts from 'typescript'

/** Words to avoid, and what to write instead. */
export const WORDS = [
  [/\btold\b|\btells?\b/i, 'reports, shows, or the verb for what happens'],
  [/\bwhoever\b/i, 'name who it is: every client, the caller'],
  [/\b(?:has|have) not(?=[.,:;)]|$)/i, 'does not have'],
  [/\b(?:goes|go|going) on\b/i, 'continues'],
  [/\banew\b(?! if it)/i, 'again'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bfor want of\b/i, 'because there is no'],
  [/\bat (?:a|one) stroke\b/i, 'atomically'],
  [/\bstands (?:in|behind|before|beside|above|below|without|there|where)\b/i, 'is'],
  [/\b(?:copied|closed|sent|comes?|goes|lies|put|read|written) behind\b|\bone behind the other\b/i, 'after'],
  [/\b(?:let|lets|letting) (?:him|her|them|it|everybody|nobody|somebody|anybody) in\b/i, 'grants access'],
  [/\bkeeps? (?:everybody|nobody|somebody|strangers) out\b/i, 'denies access'],
  [/\b(?:lament|mourn|heritage)\w*\b/i, 'the standard word of servers'],
  [/\bhas to say\b|\bhave to say\b/i, 'requires, reports'],
  [/\bin vain\b/i, 'without effect, without success'],
  [/\bfor good\b/i, 'permanently'],
  [/\bafresh\b/i, 'again'],
  [/\bas it were\b/i, 'the thing itself'],
  [/\bsomebody\b/i, 'name who it is: a client, another process'],
  [/\baffair\b/i, 'name who does it'],
  [/\bhangs? (?:in|into)\b/i, 'registers'],
  [/\btakes? the place of\b/i, 'replaces'],
]

/** Texts of httpd and of formats that contain one of the words. */
const ALLOWED = [
  // The key of a message between two versions of the supervisor.
  /\bheritage\b/,
]

/** Comments and texts of a source, with the line in which each begins. */
function passages(text) {
  const found = new Map()
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true)
  const visit = (node) => {
    for (const read of [ts.getLeadingCommentRanges(text, node.getFullStart()), ts.getTrailingCommentRanges(text, node.getEnd())])
      for (const { pos, end } of read ?? []) found.set(pos, text.slice(pos, end))
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      if (!ts.isImportDeclaration(node.parent) && / /.test(node.text)) found.set(node.getStart(), node.text)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return [...found].map(([at, passage]) => ({ line: source.getLineAndCharacterOfPosition(at).line + 1, passage }))
}

/** @returns one line for each word to avoid in a source, with its place and the better word */
export function wordsToAvoid(file, text) {
  return passages(text).flatMap(({ line, passage }) =>
    // Code in backquotes is not checked.
    passage
      .replace(/`[^`\n]*`/g, (code) => '_'.repeat(code.length))
      .split('\n')
      .flatMap((part, index) =>
        WORDS.flatMap(([pattern, better]) => {
          const word = pattern.exec(part.trim())?.[0]
          if (word === undefined || ALLOWED.some((allowed) => allowed.test(part))) return []
          return [`${file}:${line + index}: '${word}': write ${better}`]
        }),
      ),
  )
}

/** Whether the check applies to a file: sources and build scripts. */
export function isChecked(file) {
  if (!/^(?:build\/|(?:packages|modules)\/[^/]+\/(?:browser|src)\/).*\.(?:ts|mjs|cjs)$/.test(file)) return false
  // This file names the words.
  return file !== 'build/plain-words.mjs'
}

if (import.meta.filename === argv[1]) {
  const root = join(import.meta.dirname, '..')
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'build', 'packages', 'modules'], {
    cwd: root,
    encoding: 'utf8',
  })
  const complaints = files
    .split('\n')
    .filter((file) => isChecked(file) && existsSync(join(root, file)))
    .flatMap((file) => wordsToAvoid(relative('.', join(root, file)), readFileSync(join(root, file), 'utf8')))
  for (const complaint of complaints) console.error(complaint)
  if (complaints.length > 0) console.error('hint: CONTRIBUTING.md has the rules of style; messages of httpd keep their wording')
  exit(complaints.length > 0 ? 1 : 0)
}
