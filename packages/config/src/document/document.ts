/**
 * A configuration file as a tree that keeps everything: comments, blank lines, indentation, quoting,
 * continuation lines. The tree contains the file's text as written; directives, conditions and variables are
 * not interpreted.
 */
export interface ConfigDocument {
  readonly items: readonly DocumentItem[]
}

export type DocumentItem = BlankItem | CommentItem | DirectiveItem | SectionItem | StrayClosingItem

/** The members of all items. */
interface Placed {
  /** The bytes of its lines, line ends included; absent in an item that a tool has made or changed. */
  readonly raw?: string
  /** Numbers of its first and last line, from 1; absent for an item that was never in a file. */
  readonly line?: number
  readonly lastLine?: number
}

/** Blank lines. */
export interface BlankItem extends Placed {
  readonly kind: 'blank'
}

export interface CommentItem extends Placed {
  readonly kind: 'comment'
  /** After the `#`. */
  readonly text: string
}

export interface DirectiveItem extends Placed {
  readonly kind: 'directive'
  readonly name: string
  /** The text after the name, with quotes, and with continuation lines joined. */
  readonly text: string
  /** The text as words, without quotes. Directives with one text as argument use `text`. */
  readonly words: readonly string[]
}

/**
 * A container: from its opening line to its closing line. `raw`, `line` and `lastLine` are of the opening
 * line.
 */
export interface SectionItem extends Placed {
  readonly kind: 'section'
  /** Without bracket: `Directory`. */
  readonly name: string
  /** Between the name and the last `>`. */
  readonly text: string
  readonly words: readonly string[]
  readonly items: readonly DocumentItem[]
  /** Null if the file ends before the section does. */
  readonly closing: ClosingLine | null
}

export interface ClosingLine extends Placed {
  /** As written, which may differ in case from the opening one. */
  readonly name: string
}

/** A closing line without a container: the configuration is wrong there. */
export interface StrayClosingItem extends Placed {
  readonly kind: 'stray-closing'
  readonly name: string
}
