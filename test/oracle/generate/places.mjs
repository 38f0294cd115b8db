// The place of the directives of one folder level: a section or a .htaccess file.
import { section } from '../tree.mjs'

/** The folders of a policy, from outside to inside; `@P@` is the policy's own. */
export const LEVELS = ['', '/a', '/a/b']

const CONDITIONS = [
  "-n %{HTTP:X-Flag} || %{REQUEST_METHOD} == 'GET'",
  "%{REQUEST_METHOD} != 'POST'",
  "%{REMOTE_ADDR} == '127.0.0.1'",
  "%{HTTP:X-Flag} == 'on'",
]

const PLACES = [
  [6, ({ folder }, body) => ({ main: [section('Directory', `"@DOCROOT@/${folder}"`, body)] })],
  [5, ({ folder }, body) => ({ htaccess: { [folder]: body } })],
  [1.5, ({ folder }, body) => ({ main: [section('Location', `"/${folder}"`, body)] })],
  [0.5, ({ folder }, body) => ({ main: [section('Location', `"/${folder}/"`, body)] })],
  [0.3, ({ folder }, body) => ({ main: [section('Location', `"/${folder}/*.txt"`, body)] })],
  [0.7, ({ folder }, body) => ({ main: [section('LocationMatch', `"^/${folder}/(?<NAMED>[a-z.]+)"`, body)] })],
  [0.6, ({ folder }, body) => ({ main: [section('DirectoryMatch', `"^@DOCROOT@/${folder}/?$"`, body)] })],
  [0.3, ({ folder }, body) => ({ main: [section('Directory', `"@DOCROOT@/${folder}*"`, body)] })],
  [1, (place, body) => inFolder(place, section('Files', place.rng.pick(['"f.txt"', '"*.txt"', '"?.txt"']), body))],
  [0.5, (place, body) => inFolder(place, section('FilesMatch', place.rng.pick(['"\\.txt$"', '"^(f|one)"']), body))],
  [1, (place, body) => inFolder(place, section('If', condition(place.rng), body))],
  [0.5, (place, body) => inFolder(place, section('If', condition(place.rng), ['Require all denied']), section('Else', '', body))],
  [
    0.3,
    (place, body) =>
      inFolder(place, section('If', condition(place.rng), body), section('ElseIf', condition(place.rng), ['Require valid-user'])),
  ],
]

/** `{ main }` or `{ htaccess }` with the directives of a folder (`@P@/a`) put somewhere. */
export function place(rng, folder, body) {
  return rng.weighted(PLACES)({ rng, folder }, body)
}

// Sections by file name and condition are allowed in both kinds of files.
function inFolder({ rng, folder }, ...sections) {
  return rng.chance(0.4)
    ? { htaccess: { [folder]: sections } }
    : { main: [section('Directory', `"@DOCROOT@/${folder}"`, sections)] }
}

function condition(rng) {
  return `"${rng.pick(CONDITIONS)}"`
}
