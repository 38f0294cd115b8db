import { existsSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { wordAt } from '../documents/line-words.ts'
import type { Outline } from '../documents/outline.ts'
import { variableUses } from '../documents/variable-uses.ts'
import { includedFiles } from './included-files.ts'

/** A file of the configuration. */
export interface KnownFile {
  readonly path: string
  readonly outline: Outline
}

/** Where something is defined; the line counts from 0. */
export interface Target {
  readonly path: string
  readonly line: number
}

export interface Asked {
  readonly text: string
  readonly character: number
  readonly serverRoot: string
  readonly defines: Readonly<Record<string, string>>
  /** The files of the configuration; they are read when they are needed. */
  files(): readonly KnownFile[]
}

/** The definitions of what is at a position: variables, macros, and files and folders. */
export function definitions({ text, character, serverRoot, defines, files }: Asked): Target[] {
  for (const { name, start } of variableUses(text))
    if (start - 2 <= character && character <= start + name.length + 1) return definesOf(name, files())
  const at = wordAt(text, character)
  const directive = /^\s*<?([\w-]+)/.exec(text)?.[1].toLowerCase() ?? ''
  if (at === null || at.index === 0 || at.word === '') return []
  if (directive === 'use' && at.index === 1) return macrosOf(at.word, files())
  if (directive === 'ifdefine') return definesOf(at.word.replace(/^!/, ''), files())
  const path = expanded(at.word, defines)
  if (path === null || /[\0\r\n]/.test(path) || /^(?:\w+:|\|)/.test(path)) return []
  const absolute = isAbsolute(path) ? path : resolve(serverRoot, path)
  if (directive === 'include' || directive === 'includeoptional')
    return includedFiles(absolute).map((file) => ({ path: file, line: 0 }))
  if (!isAbsolute(path) && !FILES.test(directive)) return []
  return placesOf(absolute, files)
}

/** Directives whose relative paths begin at ServerRoot. */
const FILES = /file$|path$|^(?:loadmodule|typesconfig|documentroot|mimemagicfile|customlog|errorlog|scriptlog|pidfile|dbd\w*)$/

/** A file, or for a folder what the configuration says about it: its section, otherwise its .htaccess file. */
function placesOf(path: string, files: () => readonly KnownFile[]): Target[] {
  const stat = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined
  if (stat?.isFile() === true) return [{ path, line: 0 }]
  const folder = path.replace(/\/+$/, '')
  const sections = files().flatMap(({ path: file, outline }) =>
    outline.blocks
      .filter(({ name, argument }) => /^directory$/i.test(name) && unquoted(argument).replace(/\/+$/, '') === folder)
      .map(({ start }) => ({ path: file, line: start })),
  )
  if (sections.length > 0) return sections
  return stat?.isDirectory() === true && existsSync(`${folder}/.htaccess`) ? [{ path: `${folder}/.htaccess`, line: 0 }] : []
}

function definesOf(variable: string, files: readonly KnownFile[]): Target[] {
  return files.flatMap(({ path, outline }) =>
    outline.lines
      .filter(({ name, argument }) => /^define$/i.test(name) && unquoted(argument.split(/\s+/)[0]) === variable)
      .map(({ line }) => ({ path, line })),
  )
}

function macrosOf(macro: string, files: readonly KnownFile[]): Target[] {
  return files.flatMap(({ path, outline }) =>
    outline.blocks
      .filter(({ name, argument }) => /^macro$/i.test(name) && argument.split(/\s+/)[0]?.toLowerCase() === macro.toLowerCase())
      .map(({ start }) => ({ path, line: start })),
  )
}

/** A word with the values of its variables; null if one is not known. */
export function expanded(word: string, defines: Readonly<Record<string, string>>): string | null {
  let isKnown = true
  const text = word.replace(/\$\{([^}:]+)\}/g, (_whole, name: string) => {
    if (!Object.hasOwn(defines, name)) isKnown = false
    return defines[name] ?? ''
  })
  return isKnown ? text : null
}

function unquoted(text: string): string {
  return text.replace(/^["']|["']$/g, '')
}
