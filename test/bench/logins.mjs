// Scenarios of logins by a directory, a database and a shared cache, which are the same for httpd and for us. nginx asks none
// of them by itself.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AUTHORIZATION, PASSWORD_HASHES } from './password-hashes.mjs'

const SMALL = { path: '/small.html', headers: {}, status: 200, length: 1024 }
const LOGIN = { ...SMALL, headers: { Authorization: AUTHORIZATION.right } }
const REFUSED = { ...SMALL, status: 401, length: undefined }
const REFUSALS = [REFUSED, { ...REFUSED, headers: { Authorization: AUTHORIZATION.wrong } }]
const BASIC = ['AuthType Basic', 'AuthName bench', 'Require valid-user']

/** Measured in the same rounds: the same file for everybody, by a request with the same fields. */
const NO_LOGIN = { name: 'no-login', ask: LOGIN, visits: [], httpd: { directory: ['Require all granted'] } }

/** @returns {object[]} scenarios */
export function logins() {
  return [
    byDirectory('login-ldap-remembered', 'Basic by LDAP, remembered', []),
    byDirectory('login-ldap-first', 'Basic by LDAP, a search and a bind for each request', ['LDAPCacheEntries 0']),
    bySqlite(),
    byCache(),
  ]
}

function byDirectory(name, title, server) {
  return {
    name,
    title,
    ask: LOGIN,
    visits: REFUSALS,
    backend: 'slapd',
    httpd: {
      modules: ['auth_basic', 'authz_user', 'ldap', 'authnz_ldap'],
      directory: [...BASIC, 'AuthBasicProvider ldap', 'AuthLDAPURL "ldap://127.0.0.1:@BACKEND@/ou=people,dc=example,dc=org?uid"'],
      server,
    },
    baseline: NO_LOGIN,
  }
}

function bySqlite() {
  return {
    name: 'login-sqlite',
    title: 'Basic by SQLite, a query for each request, {SHA}',
    ask: LOGIN,
    visits: REFUSALS,
    outside: [{ name: 'users.db', content: userDatabase() }],
    httpd: {
      modules: ['auth_basic', 'authz_user', 'dbd', 'authn_dbd'],
      directory: [...BASIC, 'AuthBasicProvider dbd', 'AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"'],
      server: ['DBDriver sqlite3', 'DBDParams "@ROOT@/conf/users.db"'],
    },
    baseline: NO_LOGIN,
  }
}

function byCache() {
  return {
    name: 'login-redis-remembered',
    title: 'Basic, {SHA}, remembered in Redis',
    ask: LOGIN,
    visits: REFUSALS,
    backend: 'redis',
    outside: [{ name: 'users', content: `${PASSWORD_HASHES.sha1}\n` }],
    httpd: {
      modules: ['auth_basic', 'authn_file', 'authz_user', 'socache_redis', 'authn_socache'],
      directory: [...BASIC, 'AuthBasicProvider socache file', 'AuthnCacheProvideFor file', 'AuthUserFile conf/users'],
      server: ['AuthnCacheSOCache redis:127.0.0.1:@BACKEND@'],
    },
    baseline: NO_LOGIN,
  }
}

/** The file of a database with the user. */
function userDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-bench-db-'))
  try {
    const path = join(folder, 'users.db')
    const database = new DatabaseSync(path)
    const [name, hash] = PASSWORD_HASHES.sha1.split(/:(.*)/)
    database.exec('CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT)')
    database.prepare('INSERT INTO users VALUES(?, ?)').run(name, hash)
    database.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
