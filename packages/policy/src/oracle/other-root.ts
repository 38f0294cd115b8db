import { nextWord } from '@gatewright/config'

/** Moves paths of the file system below a folder that replaces its root. */
export class OtherRoot {
  readonly folder: string

  /** @param folder absolute, without trailing slash */
  constructor(folder: string) {
    this.folder = folder
  }

  /** @param path absolute */
  path(path: string): string {
    return `${this.folder}${path}`
  }

  /**
   * The argument of a `<Directory>`: the root is kept, because rules for all paths also apply below the
   * folder.
   */
  directory(argument: string): string {
    const { word, rest } = nextWord(argument)
    if (word === '~') return `~ "${this.pattern(nextWord(rest).word)}"`
    return word === '/' || !word.startsWith('/') ? `"${word}"` : `"${this.path(word)}"`
  }

  /** A pattern that matches the moved paths where it matched the paths themselves. */
  pattern(source: string): string {
    const folder = this.folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return source.replace(/(^|[^\\[])\^/g, `$1^${folder}`)
  }
}
