import { dirname } from 'node:path'
import type { Difference, Proof } from '../prove/prove.ts'
import type { Remark } from '../site/remark.ts'
import { type AlikeFiles, alikeFiles } from './alike-files.ts'
import { type MigrateOptions, type Migration, migrate } from './migrate.ts'

export interface MigrateTreeOptions extends Omit<MigrateOptions, 'accessFolders' | 'texts'> {
  /** The files of a substitute server around the tree. */
  readonly serverTexts: ReadonlyMap<string, string>
  /** The .htaccess files of the tree. */
  readonly accessTexts: ReadonlyMap<string, string>
  /** Folders of which something is not known. */
  readonly apart: readonly string[]
}

/** The migration of a tree; files with the same content in the same context were examined once. */
export interface TreeMigration extends Migration {
  /** How many kinds of files there were. */
  readonly kinds: number
  /** The proof with paths of real files. */
  named(proof: Proof): Proof
}

/**
 * Rewrites a tree of .htaccess files like {@link migrate}; the time grows with the number of different files
 * in different contexts.
 * @throws ConfigError if the server around the tree does not load
 */
export async function migrateTree({ serverTexts, accessTexts, apart, ...options }: MigrateTreeOptions): Promise<TreeMigration> {
  const alike = alikeFiles(accessTexts, apart)
  const made = await migrate({
    ...options,
    texts: new Map([...serverTexts, ...alike.texts]),
    foreign: new Set(serverTexts.keys()),
    accessFolders: [...alike.texts.keys()].map((path) => dirname(path)),
  })
  const names = realNames(alike)
  return {
    ...made,
    kinds: alike.texts.size,
    files: made.files.flatMap((file) => (alike.members.get(file.path) ?? [file.path]).map((path) => ({ ...file, path }))),
    left: made.left.flatMap((remark) => ofMembers(remark, alike, names)),
    opened: made.opened.flatMap((remark) => ofMembers(remark, alike, names)),
    remarks: made.remarks.flatMap((remark) => ofMembers(remark, alike, names)),
    named: (proof) => withRealNames(proof, names),
  }
}

/**
 * A statement about a representative applies to all files of its kind; references to another file are adapted
 * to the file that it represents.
 */
function ofMembers({ file, line, text }: Remark, { members }: AlikeFiles, names: readonly RealName[]): Remark[] {
  return (members.get(file) ?? [file]).map((path) => ({ file: path, line, text: replaced(text, names) }))
}

interface RealName {
  readonly madeUp: string
  readonly real: string
}

/** Folders that do not exist, innermost first, with the folders that they represent. */
function realNames({ members }: AlikeFiles): RealName[] {
  return [...members]
    .flatMap(([path, [first]]) =>
      path === first || members.get(path)?.includes(path) ? [] : [{ madeUp: dirname(path), real: dirname(first) }],
    )
    .sort((a, b) => b.madeUp.length - a.madeUp.length)
}

function replaced(text: string, names: readonly RealName[]): string {
  let reported = text
  for (const { madeUp, real } of names) reported = reported.replaceAll(`${madeUp}/`, `${real}/`)
  return reported
}

function withRealNames(proof: Proof, names: readonly RealName[]): Proof {
  const { difference, closed } = proof
  return { ...proof, difference: inRealNames(difference, names), closed: inRealNames(closed, names) }
}

function inRealNames(difference: Difference | null, names: readonly RealName[]): Difference | null {
  if (difference === null || names.length === 0) return difference
  // The folder corresponds to some prefix of a URL's path.
  const target = names.reduce((url, { madeUp, real }) => {
    const common = commonBeginning(madeUp, real)
    return url.replace(`${encodeURI(madeUp.slice(common))}/`, `${encodeURI(real.slice(common))}/`)
  }, difference.question.target)
  const named = <T extends { readonly why: string; readonly rules: readonly string[] }>(side: T): T => ({
    ...side,
    why: replaced(side.why, names),
    rules: side.rules.map((rule) => replaced(rule, names)),
  })
  return {
    ...difference,
    question: { ...difference.question, target },
    before: named(difference.before),
    after: named(difference.after),
  }
}

/** Up to the last slash that two paths have in common. */
function commonBeginning(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.lastIndexOf('/', length - 1) + 1
}
