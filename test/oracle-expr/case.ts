import type { Random } from '../fixtures/random.ts'
import type { ExpressionGenerator } from './expression-generator.ts'

/** One expression in one place of a .htaccess file. */
export interface Case {
  readonly source: string
  readonly place: string
  readonly htaccess: readonly string[]
}

type Place = (source: string) => readonly string[]

/** Contexts of conditions. */
const CONDITIONS: Readonly<Record<string, Place>> = {
  'Require expr': (source) => [...LOGIN, `Require expr ${source}`],
  'Require expr in a container': (source) => [
    ...LOGIN,
    '<RequireAll>',
    'Require all granted',
    `Require not expr ${quoted(source)}`,
    '</RequireAll>',
  ],
  If: (source) => [
    `<If ${quoted(source)}>`,
    'Require all denied',
    '</If>',
    '<Else>',
    'Header set X-Else "%{HTTP_HOST}e"',
    '</Else>',
  ],
  'Header condition': (source) => [`Header always set X-V yes ${quoted(`expr=${source}`)}`],
  // httpd's $n are whatever was in memory when no pattern with groups was compared, hence the first one.
  SetEnvIfExpr: (source) => [
    `SetEnvIfExpr ${quoted(`'az' =~ /(z)/ && (${source})`)} V=$0/$1/$2/$9`,
    'Header always set X-V "<%{V}e>"',
  ],
}

/** Contexts of strings. */
const STRINGS: Readonly<Record<string, Place>> = {
  'Header value': (source) => [`Header always set X-V ${quoted(`expr=<${source}>`)}`],
  'Header value in base64': (source) => [`Header always set X-V ${quoted(`expr=%{base64:${source.replace(/["']/g, '')}}`)}`],
  AuthName: (source) => ['AuthType Basic', `AuthName ${quoted(`:${source}`)}`, 'Require user nobody'],
  'Require user': (source) => [...LOGIN, `Require user x ${source}`],
}

const LOGIN = ['AuthType Basic', 'AuthName oracle']

/** One in two is a condition. `@TREE@` in it is the folder of the site. */
export function randomCase(random: Random, generator: ExpressionGenerator, tree: string): Case {
  const condition = random.percent(60)
  // Some as deep as httpd's evaluator goes, and deeper.
  const depth = random.percent(8) ? 9 + random.below(12) : 4
  const places = Object.entries(condition ? CONDITIONS : STRINGS)
  const [place, lines] = random.pick(places)
  const source = (condition ? generator.condition(depth) : generator.string(depth)).replaceAll('@TREE@', tree)
  return { source, place, htaccess: lines(source) }
}

/** Quotes a text as a word of a configuration line. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
