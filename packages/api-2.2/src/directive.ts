import type { Command, CommandError } from './command.ts'

/** Which of a module's two configuration objects a directive fills. */
export type Scope = 'directory' | 'server'

/**
 * Where a directive is allowed: `server` the main configuration outside sections, `virtualhost` inside
 * `<VirtualHost>`, `directory` inside `<Directory>`, `<Location>`, `<Files>`, `<If>`, `htaccess` in .htaccess
 * files whose AllowOverride grants its override class.
 */
export type Context = 'server' | 'virtualhost' | 'directory' | 'htaccess'

/** The AllowOverride class that admits a directive in .htaccess; `All` is any class. */
export type Override = 'AuthConfig' | 'FileInfo' | 'Indexes' | 'Limit' | 'Options' | 'All'

/**
 * Nothing if the directive was accepted; otherwise a text, to which the server adds file and line, or the
 * error of a nested directive.
 */
export type SetResult = string | CommandError | undefined | void

/** The properties of all kinds of directive. The grammar is data, which `-L`, the manual and tools read. */
export interface DirectiveCommon<S extends Scope> {
  readonly scope: S
  readonly context: readonly Context[]
  readonly override?: Override | readonly Override[]
  /** One line for `-L`; it also ends the message about a wrong number of arguments. */
  readonly help?: string
  /** Spelling in messages if it differs from the key (httpd declares `order`, `LimitRequestFieldsize`). */
  readonly declaredAs?: string
  /** Executed while the configuration is read, regardless of its context, like LoadModule and Define. */
  readonly readTime?: boolean
}

type Word = string
type Optional = string | undefined

/** The signature of `set` for each kind of arguments. */
export interface Setters<C> {
  noArgs: (config: C, command: Command) => SetResult
  take1: (config: C, word: Word, command: Command) => SetResult
  take2: (config: C, first: Word, second: Word, command: Command) => SetResult
  take12: (config: C, first: Word, second: Optional, command: Command) => SetResult
  take3: (config: C, first: Word, second: Word, third: Word, command: Command) => SetResult
  take23: (config: C, first: Word, second: Word, third: Optional, command: Command) => SetResult
  take123: (config: C, first: Word, second: Optional, third: Optional, command: Command) => SetResult
  take13: (config: C, first: Word, second: Optional, third: Optional, command: Command) => SetResult
  /** Called once per word. */
  iterate: (config: C, word: Word, command: Command) => SetResult
  /** Called once per word after the first, with the first word each time. */
  iterate2: (config: C, first: Word, word: Word, command: Command) => SetResult
  flag: (config: C, on: boolean, command: Command) => SetResult
  /** All words, 0 to 64. */
  argv: (config: C, words: readonly string[], command: Command) => SetResult
  /** The rest of the line without leading and trailing blanks. Quotes are kept. */
  raw: (config: C, text: string, command: Command) => SetResult
  /**
   * A container `<Name text>`: `text` extends to the last `>` of the line, inclusive. `command.walk` handles
   * the children.
   */
  section: (config: C, text: string, command: Command) => SetResult
  /**
   * A container that is evaluated while reading, like `<IfModule>`: true keeps the children, false skips
   * them, a text is an error.
   */
  condition: (config: C, text: string, command: Command) => boolean | string
}

export type DirectiveKind = keyof Setters<never>

/**
 * One row of a module's directive table that sets per-directory configuration. Made by the functions of
 * {@link directive}.
 */
export interface DirectoryDirective<C, K extends DirectiveKind> extends DirectiveCommon<'directory'> {
  readonly kind: K
  readonly setDirectory: Setters<C>[K]
}

/** One row that sets per-server configuration. */
export interface ServerDirective<C, K extends DirectiveKind> extends DirectiveCommon<'server'> {
  readonly kind: K
  readonly setServer: Setters<C>[K]
}

/** The directive table of a module whose per-directory configuration is D and per-server configuration S. */
export type DirectiveTable<D, S> = Readonly<Record<string, Directive<D, S>>>

export type Directive<D, S> = { [K in DirectiveKind]: DirectoryDirective<D, K> | ServerDirective<S, K> }[DirectiveKind]

type Spec<S extends Scope, C, K extends DirectiveKind> = DirectiveCommon<S> & { readonly set: Setters<C>[K] }

/**
 * Two overloads, so that the type of `config` follows from the scope. For the same reason the two kinds of
 * row use different names for their setter.
 */
export interface DirectiveMaker<K extends DirectiveKind> {
  <C>(spec: Spec<'directory', C, K>): DirectoryDirective<C, K>
  <C>(spec: Spec<'server', C, K>): ServerDirective<C, K>
}

function maker<K extends DirectiveKind>(kind: K): DirectiveMaker<K> {
  function make<C>(spec: Spec<'directory', C, K>): DirectoryDirective<C, K>
  function make<C>(spec: Spec<'server', C, K>): ServerDirective<C, K>
  function make<C>(spec: Spec<'directory', C, K> | Spec<'server', C, K>): DirectoryDirective<C, K> | ServerDirective<C, K> {
    const { set, ...common } = spec
    return common.scope === 'directory'
      ? { ...common, scope: common.scope, kind, setDirectory: set }
      : { ...common, scope: 'server', kind, setServer: set }
  }
  return make
}

/**
 * Makes the rows of a directive table; each function is named after its kind of arguments. A key `<Name` in
 * the table declares a container.
 */
export const directive: { readonly [K in DirectiveKind]: DirectiveMaker<K> } = {
  noArgs: maker('noArgs'),
  take1: maker('take1'),
  take2: maker('take2'),
  take12: maker('take12'),
  take3: maker('take3'),
  take23: maker('take23'),
  take123: maker('take123'),
  take13: maker('take13'),
  iterate: maker('iterate'),
  iterate2: maker('iterate2'),
  flag: maker('flag'),
  argv: maker('argv'),
  raw: maker('raw'),
  section: maker('section'),
  condition: maker('condition'),
}
