// Invalid directives, and valid ones that resemble them.
import { count, section } from '../tree.mjs'

/** Mistakes people make. Some go unnoticed in a .htaccess file. */
const MISTAKES = [
  ['Require not ip 10.0.0.1'],
  ['Require'],
  ['Require not'],
  ['Require not not ip 10'],
  ['Require nosuch x'],
  ['Require ALL granted'],
  ['Require all'],
  ['Require all granted denied'],
  ['Require all Granted'],
  ['Require ip'],
  ['Require ip foo'],
  ['Require ip 300.1.1.1'],
  ['Require ip 10.0.0.0/33'],
  ['Require ip 10.1/16'],
  ['Require ip ::ffff:10.0.0.1'],
  ['Require ip 10.1 # office'],
  ['Require ip 127.0.0.1, 127.0.0.2'],
  ['Require ip 10.0.0.0/0'],
  ['Require ip ""'],
  ['Require method get'],
  ['Require method'],
  ['Require env'],
  ['Require user'],
  ['Require group'],
  ['Require dbm-group'],
  ['Require expr'],
  ['Require expr true AND true'],
  ["Require expr %{NOSUCH} == 'x'"],
  ["Require expr 'a'"],
  ['Require expr "%{REQUEST_URI} =~ /(/"'],
  ["Require expr file('/etc/hostname') == 'x'"],
  ['Require user %{NOSUCH}'],
  ['Require host %{NOSUCH'],
  [section('RequireAll', '', [])],
  [section('RequireAny', '', [])],
  [section('RequireNone', '', ['Require all denied'])],
  [section('RequireAll', '', ['Require not user alice'])],
  [section('RequireAll', '', ['Require not ip 127.0.0.2', 'Require not env flag'])],
  [section('RequireAll', '', [section('RequireNone', '', ['Require env flag'])])],
  [section('RequireAll', '', ['Require all granted', section('RequireNone', '', ['Require not env flag'])])],
  [
    section('RequireAll', '', [
      'Require all granted',
      section('RequireNone', '', [section('RequireNone', '', ['Require env flag'])]),
    ]),
  ],
  [section('RequireAny', '', ['Require all granted', 'Require not local'])],
  [section('RequireAny', '', ['Require all granted', section('RequireNone', '', ['Require local'])])],
  [section('RequireAll', 'foo', ['Require all granted'])],
  [section('RequireNotAll', '', ['Require all granted'])],
  [section('RequireAll', '', ['Options None', 'Require all granted'])],
  [section('RequireAll', '', ['AuthType Basic', 'Require all granted'])],
  [section('RequireAll', '', [section('Files', '"f.txt"', ['Require all granted'])])],
  [section('RequireAll', '', ['Require all granted', section('Limit', 'POST', ['Require all denied'])])],
  [section('RequireAll', '', [section('Limit', 'POST', ['Require not ip 10'])])],
  ['<RequireAll>', 'Require all granted'],
  ['</RequireAll>'],
  ['<RequireAll>', 'Require all granted', '</RequireAny>'],
  ['<RequireAll', 'Require all granted', '</RequireAll>'],
  [section('Limit', '', ['Require all denied'])],
  [section('Limit', 'TRACE', ['Require all denied'])],
  [section('Limit', 'FOO', ['Require all denied'])],
  [section('LimitExcept', 'TRACE GET', ['Require all denied'])],
  [section('Limit', 'GET', [section('Limit', 'POST', ['Require all denied'])])],
  [section('Limit', 'GET', [section('LimitExcept', 'POST', ['Require all denied'])])],
  [section('Limit', 'GET POST', [section('Limit', 'GET POST', ['Require all denied'])])],
  [section('Limit', 'GET', ['AuthType Basic', 'AuthMerging Or'])],
  ['AuthMerging X'],
  ['AuthMerging'],
  ['AuthMerging And Or'],
  ['AuthzSendForbiddenOnFailure maybe'],
  ['AuthType'],
  ['AuthType ""'],
  ['AuthType %{NOSUCH}'],
  ['AuthName'],
  ['AuthName two words'],
  ['AuthName ""'],
  ['AuthName "%{NOSUCH}"'],
  ['AuthBasicProvider'],
  ['AuthBasicProvider foo'],
  ['AuthBasicAuthoritative maybe'],
  ['AuthBasicUseDigestAlgorithm SHA'],
  ['AuthBasicFake'],
  ['AuthUserFile'],
  ['AuthUserFile a b'],
  ['AuthGroupFile'],
  ['AuthzUserAuthoritative Off'],
  ['Order foo'],
  ['Order deny, allow'],
  ['Order'],
  ['Order deny,allow,deny'],
  ['Allow all'],
  ['Allow from'],
  ['Allow'],
  ['Deny to all'],
  ['Allow from 300.1.1.1'],
  ['Allow from 10.0.0.0/33'],
  ['Allow from foo.example/24'],
  ['Allow from all # x'],
  ['Deny from foo#bar'],
  ['Deny from [::1]'],
  ['Deny from 10.1/255.255.0.0'],
  ['Satisfy none'],
  ['Satisfy'],
  ['Satisfy any all'],
  [section('If', "%{REQUEST_URI} == 'x'", ['Require all granted'])],
  [section('If', '"%{NOSUCH}"', ['Require all granted'])],
  [section('If', '', ['Require all granted'])],
  [section('Else', '', ['Require all granted'])],
  [section('ElseIf', '"true"', ['Require all granted'])],
  [section('Files', '', ['Require all granted'])],
  [section('Directory', '"/x"', ['Require all granted'])],
  [section('Location', '"/x"', ['Require all granted'])],
  [section('AuthzProviderAlias', 'ip mine 127.0.0.1', [])],
  [section('AuthnProviderAlias', 'file mine', [])],
  ['SetEnvIf X-Flag ( x=1'],
  ['ErrorDocument 403'],
  ['NoSuchDirective on'],
]

/** One of the known errors. */
export function mistake(rng) {
  return rng.pick(MISTAKES)
}

/** The nodes with one line changed at random: often still right, sometimes not. */
export function mutated(rng, nodes) {
  return changeAt(rng, nodes, rng.below(Math.max(1, count(nodes))))
}

function changeAt(rng, nodes, at) {
  let left = at
  return nodes.flatMap((node) => {
    const size = count([node])
    const index = left
    left -= size
    if (index < 0 || index >= size) return [node]
    if (typeof node === 'string') return [changedLine(rng, node)]
    if (index > 0) return [{ ...node, body: changeAt(rng, node.body, index - 1) }]
    return changedSection(rng, node)
  })
}

function changedLine(rng, line) {
  const words = line.split(' ')
  const index = rng.below(words.length)
  switch (rng.below(8)) {
    case 0:
      return words.toSpliced(index, 1).join(' ') || '#'
    case 1:
      return words.toSpliced(index, 0, words[index]).join(' ')
    case 2:
      return words.with(index, words[index].toUpperCase()).join(' ')
    case 3:
      return words.with(index, words[index].toLowerCase()).join(' ')
    case 4:
      return words.with(index, `"${words[index]}"`).join(' ')
    case 5:
      return `${line} ${rng.pick(['#', '# comment', '"', "'", '\\', ',', '%{', '(', '  '])}`
    case 6:
      return words.join(rng.pick(['  ', '\t']))
    default: {
      const cut = rng.below(line.length)
      return line.slice(0, cut) + line.slice(cut + 1)
    }
  }
}

function changedSection(rng, node) {
  switch (rng.below(4)) {
    case 0:
      return [{ ...node, name: rng.pick(['RequireAll', 'RequireAny', 'RequireNone', 'Limit', 'IfModule']) }]
    case 1:
      return [{ ...node, body: [] }]
    case 2:
      return node.body
    default:
      return [{ ...node, body: [...node.body, ...mistake(rng)] }]
  }
}
