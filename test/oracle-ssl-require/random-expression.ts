import { seededNumbers } from '@gatewright/testing'

const NAMES = 'SSL_CIPHER HTTPS TIME_HOUR REQUEST_METHOD NOSUCH SSL_NOSUCH ssl_cipher REMOTE_ADDR SERVER_PORT'.split(' ')
const COMPARISONS = '== = != < <= > >= eq ne lt le gt ge -eq -ne -lt -le -gt -ge -strmatch -nosuch'.split(' ')
const FUNCTIONS = 'file tolower md5 SSL http nosuch env'.split(' ')
const LISTS = 'PeerExtList peerextlist OID nosuch'.split(' ')
const JUNK = [
  '',
  '(',
  ')',
  '{',
  '}',
  '"',
  "'",
  ',',
  '.',
  '%{',
  '$1',
  'not',
  'in',
  '-',
  '&',
  '|',
  '1.2',
  'm/x',
  '#',
  '\\',
  ':',
  'eq eq',
]
const TEXTS = ['', 'a', 'b c', '/C=DE', '10', '%{HTTPS}', "it's", 'x%{SSL:SSL_CIPHER}y', '$0', '%{nosuch}', '100%']

/** Makes expressions as SSLRequire has them: most are right, some nearly so. */
export function randomExpressions(seed: number): () => string {
  const below = seededNumbers(seed)
  const one = <T>(list: readonly T[]): T => list[below(list.length)]
  const damage = (text: string): string => (below(40) === 0 ? (below(2) === 0 ? one(JUNK) : `${text} ${one(JUNK)}`) : text)

  function word(depth: number): string {
    switch (below(depth > 2 ? 4 : 6)) {
      case 0:
        return damage(`"${one(TEXTS)}"`)
      case 1:
        return damage(String(below(200) - 20))
      case 2:
        return damage(`%{${one(NAMES)}}`)
      case 3:
        return damage(`%{${one(['HTTP', 'ENV', 'SSL', 'http', 'nosuch'])}:${one(['X-A', 'HTTPS', 'SSL_CIPHER', ''])}}`)
      case 4:
        return damage(`${one(FUNCTIONS)}(${word(depth + 1)})`)
      default:
        return damage(`${word(depth + 1)} . ${word(depth + 1)}`)
    }
  }

  function comparison(depth: number): string {
    switch (below(5)) {
      case 0:
        return `${word(depth)} ${one(['=~', '!~'])} ${damage(one(['m/x/', 'm#^a#i', '/b/', 'm,(a|b),', 'm/[/', 'x', 'm(x)']))}`
      case 1:
        return `${word(depth)} in {${Array.from({ length: 1 + below(3) }, () => word(depth)).join(damage(', '))}}`
      case 2:
        return `${word(depth)} ${one(['in', '-in'])} ${one(LISTS)}(${word(depth)})`
      default:
        return `${word(depth)} ${damage(one(COMPARISONS))} ${word(depth)}`
    }
  }

  function clause(depth: number): string {
    if (depth > 3) return comparison(depth)
    switch (below(8)) {
      case 0:
        return damage(one(['true', 'false']))
      case 1:
        return `${one(['not', '!', '! !'])} ${clause(depth + 1)}`
      case 2:
        return `(${clause(depth + 1)})`
      case 3:
        return `${clause(depth + 1)} ${damage(one(['and', 'or', '&&', '||', 'AND']))} ${clause(depth + 1)}`
      case 4:
        return `${one(['-n', '-z', '-e', '-T', '-Q'])} ${word(depth)}`
      default:
        return comparison(depth)
    }
  }

  return () => damage(clause(0))
}
