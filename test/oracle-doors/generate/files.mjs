// The files of a host: the same kinds in every one, some of them only now and then.
import { FILES, LINKS } from './words.mjs'

const TYPE_MAPS = [
  'URI: x.html.en\nContent-Type: text/html\nContent-Language: en\n\nURI: x.html.fr\nContent-Type: text/html\nContent-Language: fr\n',
  'URI: ../secret.txt\nContent-Type: text/plain\n',
  'URI: nosuch.html\nContent-Type: text/html\n\nURI: y.txt\nContent-Type: text/plain; qs=0.5\n',
  'URI: x.html.en\nContent-Type: text/html; qs=0.9\n\nURI: y.txt\nContent-Type: text/plain; qs=0.4\n',
  'URI: y.txt.gz\nContent-Type: text/plain\nContent-Encoding: x-gzip\n',
  'Content-Type: text/plain\nBody:----xyz----\ntext within\n----xyz----\n',
]

/** `{ path: { text } | { link } | { folder } }`, below the folder of the host. */
export function files(rng) {
  const out = {}
  const put = (path, entry) => {
    out[`docs${path}`] = entry
  }
  for (const path of FILES) {
    if (path.endsWith('index.html') && rng.chance(0.3)) continue
    put(path, { text: `${path.slice(1)} of @H@\n` })
  }
  put('/neg/doc.var', { text: rng.pick(TYPE_MAPS) })
  put('/neg/x.html.fr', { text: 'x en fran\u00e7ais\n' })
  put('/neg/y.txt.gz', { text: 'not really compressed\n' })
  put('/users/alice/x.txt', { text: 'of alice\n' })
  put('/.htpasswd', { text: 'alice:x\n' })
  put('/sp ace.txt', { text: 'space\n' })
  put('/p%20q.txt', { text: 'percent\n' })
  put('/caf\u00c3\u00a9.txt', { text: 'coffee\n' })
  out['out/o.txt'] = { text: 'outside\n' }
  out['out/secret.txt'] = { text: 'secret outside\n' }
  for (const [path, link] of Object.entries(LINKS)) if (rng.chance(0.8)) put(path, { link })
  if (rng.chance(0.02))
    put(
      `${rng.pick(['/alt', '/ls', '/priv'])}/.htaccess`,
      rng.pick([{ folder: true }, { link: 'nowhere' }, { link: '../a.txt' }, { link: '/dev/null' }]),
    )
  if (rng.chance(0.1)) put('/priv/.other', { text: 'Require all denied\n' })
  return out
}
