import type { Command, CommandError } from './command.ts'
import type { Problem } from './problem.ts'

/** Which of a module's two configuration objects a directive fills. */
export type Scope = 'directory' | 'server'

/**
 * Where a directive is allowed: `server` the main configuration outside sections, `virtualhost` inside
 * `<VirtualHost>`, `directory` inside `<Directory>`, `<Location>`, `<Files>`, `<If>`, `htaccess` in .htaccess
 * files whose AllowOverride grants its override class, `proxy` (since 2.4.6) inside `<Proxy>` but no other section.
 */
export type Context = 'server' | 'virtualhost' | 'directory' | 'htaccess' | 'proxy'

/** The AllowOverride class that admits a directive in .htaccess; `All` is any class. */
export type Override = 'AuthConfig' | 'FileInfo' | 'Indexes' | 'Limit' | 'Options' | 'All'

/**
 * Nothing if the directive was accepted; otherwise a text or a {@link Problem}, to which the server adds file
 * and line, or the error of a nested directive.
 */
export type SetResult = string | Problem | CommandError | undefined | void

/**
 * The properties of all kinds of directive. The grammar is data, which `-L`, the manual and tools read.
 * @suppliedByModules
 */
export interface DirectiveCommon<S extends Scope> {
  /** Which configuration object `set` fills. */
  readonly scope: S
  /** Where the directive is allowed; elsewhere it is an error. {@link contexts} has the usual lists. */
  readonly context: readonly Context[]
  /**
   * The class of AllowOverride that allows it in .htaccess files, for directives whose context includes
   * `htaccess`.
   */
  readonly override?: Override | readonly Override[]
  /** One line for `-L`; it also ends the message about a wrong number of arguments. */
  readonly help?: string
  /** Spelling in messages if it differs from the key (httpd declares `order`, `LimitRequestFieldsize`). */
  readonly declaredAs?: string
  /**
   * Executed while the configuration is read, regardless of its context, like LoadModule and Define. There are no
   * sections yet: the directive fills the configuration object of the main server.
   */
  readonly readTime?: S extends 'server' ? boolean : false
  /**
   * `none` for a directive that is accepted only so that existing configurations load, and that changes
   * nothing. `-t` lists its uses.
   * @since 2.4.5
   */
  readonly effect?: 'none'
}

/** The signature of `set` for each kind of arguments. */
export interface Setters<C> {
  /** No words; a word is an error. */
  noArgs: (config: C, command: Command) => SetResult
  /** Exactly one word. */
  take1: (config: C, word: string, command: Command) => SetResult
  /** Exactly two words. */
  take2: (config: C, first: string, second: string, command: Command) => SetResult
  /** One or two words. */
  take12: (config: C, first: string, second: string | undefined, command: Command) => SetResult
  /** Exactly three words. */
  take3: (config: C, first: string, second: string, third: string, command: Command) => SetResult
  /** Two or three words. */
  take23: (config: C, first: string, second: string, third: string | undefined, command: Command) => SetResult
  /** One to three words. */
  take123: (config: C, first: string, second: string | undefined, third: string | undefined, command: Command) => SetResult
  /** One or three words. */
  take13: (config: C, first: string, second: string | undefined, third: string | undefined, command: Command) => SetResult
  /** Called once per word. */
  iterate: (config: C, word: string, command: Command) => SetResult
  /** Called once per word after the first, with the first word each time. */
  iterate2: (config: C, first: string, word: string, command: Command) => SetResult
  /** `On` or `Off`, in any case; further words are ignored, as in httpd. */
  flag: (config: C, on: boolean, command: Command) => SetResult
  /** All words, 0 to 64. */
  argv: (config: C, words: readonly string[], command: Command) => SetResult
  /** The rest of the line without leading and trailing blanks. Quotes are kept. */
  raw: (config: C, text: string, command: Command) => SetResult
  /**
   * A container `<Name text>`: `text` extends to the last `>` of the line, inclusive. `command.walk...`
   * handles the children.
   */
  section: (config: C, text: string, command: Command) => SetResult
  /**
   * A container that is evaluated while reading, like `<IfModule>`: true keeps the children, false skips
   * them, anything else is an error.
   */
  condition: (config: C, text: string, command: Command) => boolean | string | Problem
  /**
   * A container `<Name text` (to the end of the line) that consumes its lines itself while the configuration
   * is read, like `<Macro>`. Each call of `nextLine` returns the next line, without white space at its ends
   * and without replacements, or undefined at the end of the file. The remaining lines are read normally.
   * @since 2.4.3
   */
  definition: (config: C, text: string, nextLine: () => string | undefined, command: Command) => SetResult
}

/** The kinds of arguments of directives, with httpd's names (`AP_INIT_TAKE1` is `take1`). */
export type DirectiveKind = keyof Setters<never>

/**
 * One row of a module's directive table that sets per-directory configuration. Made by the functions of
 * {@link directive}.
 */
export interface DirectoryDirective<C, K extends DirectiveKind> extends DirectiveCommon<'directory'> {
  /** Its kind of arguments. */
  readonly kind: K
  /** Called for each line with the configuration object of its section. */
  readonly setDirectory: Setters<C>[K]
}

/** One row that sets per-server configuration. */
export interface ServerDirective<C, K extends DirectiveKind> extends DirectiveCommon<'server'> {
  /** Its kind of arguments. */
  readonly kind: K
  /** Called for each line with the configuration object of its server. */
  readonly setServer: Setters<C>[K]
}

/**
 * The kinds of rows that declare a container. Their keys begin with `<`, and those of all other kinds with a letter.
 * @since 2.4.6
 */
export type ContainerKind = 'section' | 'condition' | 'definition'

/**
 * The kinds of rows for single lines.
 * @since 2.4.6
 */
export type LineKind = Exclude<DirectiveKind, ContainerKind>

/**
 * The containers that are evaluated while the configuration is read. There are no sections yet, so their scope is
 * `server`, and they get the configuration object of the main server.
 * @since 2.4.6
 */
export type ReadContainerKind = 'condition' | 'definition'

/** The directive table of a module whose per-directory configuration is D and per-server configuration S. */
export type DirectiveTable<D, S> = {
  readonly [container: `<${string}`]: Directive<D, S, ContainerKind>
  // The letters are written out: the declarations for authors lose other types in such a key.
  readonly [
    name: `${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'}${string}`
  ]: Directive<D, S, LineKind>
  readonly [
    name: `${'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z'}${string}`
  ]: Directive<D, S, LineKind>
  readonly [key: string]: Directive<D, S, DirectiveKind>
}

/**
 * One row of a directive table.
 * @typeParam K its kind; unless it is given, any kind but those of containers
 */
export type Directive<D, S, K extends DirectiveKind = LineKind> = {
  [One in K]: One extends ReadContainerKind ? ServerDirective<S, One> : DirectoryDirective<D, One> | ServerDirective<S, One>
}[K]

/**
 * A directive of any module, in the host's form. The host calls the setter only with configuration objects of
 * the directive's own module. Modules that were built with former types may have rows that {@link DirectiveTable}
 * refuses.
 */
export type AnyDirective = {
  [K in DirectiveKind]: DirectoryDirective<never, K> | ServerDirective<never, K>
}[DirectiveKind]

/** The members of a row. `set` is called for each line, and returns nothing or an error. */
export type DirectiveSpec<S extends Scope, C, K extends DirectiveKind> = DirectiveCommon<S> & { readonly set: Setters<C>[K] }

/**
 * Makes rows of the containers that are evaluated while the configuration is read, whose scope is `server`.
 * @since 2.4.6
 */
export type ReadContainerMaker<K extends ReadContainerKind> = <C>(spec: DirectiveSpec<'server', C, K>) => ServerDirective<C, K>

/**
 * Two overloads, so that the type of `config` follows from the scope. For the same reason the two kinds of
 * row use different names for their setter.
 */
export interface DirectiveMaker<K extends DirectiveKind> {
  <C>(spec: DirectiveSpec<'directory', C, K>): DirectoryDirective<C, K>
  <C>(spec: DirectiveSpec<'server', C, K>): ServerDirective<C, K>
}

function maker<K extends DirectiveKind>(kind: K): DirectiveMaker<K> {
  function make<C>(spec: DirectiveSpec<'directory', C, K>): DirectoryDirective<C, K>
  function make<C>(spec: DirectiveSpec<'server', C, K>): ServerDirective<C, K>
  function make<C>(
    spec: DirectiveSpec<'directory', C, K> | DirectiveSpec<'server', C, K>,
  ): DirectoryDirective<C, K> | ServerDirective<C, K> {
    const { set, ...common } = spec
    return common.scope === 'directory'
      ? { ...common, scope: common.scope, kind, setDirectory: set }
      : { ...common, scope: 'server', kind, setServer: set }
  }
  return make
}

/**
 * Makes the rows of a directive table; each function is named after its kind of arguments. The key of a container is
 * `<Name` in the table.
 */
export const directive: {
  readonly [K in DirectiveKind]: K extends ReadContainerKind ? ReadContainerMaker<K> : DirectiveMaker<K>
} = {
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
  definition: maker('definition'),
}
