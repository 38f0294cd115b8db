import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AnyModule } from '@gatewright/api'
import { basicAuth, hasRedis, hasSlapd, redisStore, slapd } from '@gatewright/testing'
import authBasic from '../../modules/mod_auth_basic/src/index.ts'
import authForm from '../../modules/mod_auth_form/src/index.ts'
import authnDbd from '../../modules/mod_authn_dbd/src/index.ts'
import authnFile from '../../modules/mod_authn_file/src/index.ts'
import authnSocache from '../../modules/mod_authn_socache/src/index.ts'
import authnzLdap from '../../modules/mod_authnz_ldap/src/index.ts'
import dbd from '../../modules/mod_dbd/src/index.ts'
import ldap from '../../modules/mod_ldap/src/index.ts'
import request from '../../modules/mod_request/src/index.ts'
import session from '../../modules/mod_session/src/index.ts'
import sessionCookie from '../../modules/mod_session_cookie/src/index.ts'
import sessionCrypto from '../../modules/mod_session_crypto/src/index.ts'
import socacheRedis from '../../modules/mod_socache_redis/src/index.ts'

/** A way to log in. */
export interface Door {
  readonly name: string
  /** The program that it needs and that is not installed; null if it can be used. */
  readonly missing: string | null
  readonly modules: readonly AnyModule[]
  /** Lines of the section. */
  readonly lines: readonly string[]
  /** Starts what it asks. @param users all names @returns further lines for the server */
  arrange(users: readonly string[], folder: string, end: (end: () => Promise<void>) => void): Promise<Arranged>
  /** The bytes of a request. */
  login(user: string): string
}

export interface Arranged {
  readonly server: readonly string[]
  readonly section: readonly string[]
}

const PASSWORD = 'a password'
const HASH = `{SHA}${createHash('sha1').update(PASSWORD).digest('base64')}`
const BASIC = ['AuthType Basic', 'AuthName x', 'Require valid-user']
const NOTHING: Arranged = { server: [], section: [] }

function byBasic(user: string): string {
  const { Authorization: field } = basicAuth(user, PASSWORD)
  return `GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${field}\r\n\r\n`
}

function byForm(user: string): string {
  const body = `httpd_username=${user}&httpd_password=${encodeURIComponent(PASSWORD)}`
  const head = ['POST /f.txt HTTP/1.1', 'Host: localhost', 'Connection: close', `Content-Length: ${body.length}`]
  return `${[...head, 'Content-Type: application/x-www-form-urlencoded'].join('\r\n')}\r\n\r\n${body}`
}

function passwordFile(users: readonly string[], folder: string): { readonly path: string; readonly text: string } {
  return { path: join(folder, 'users'), text: users.map((user) => `${user}:${HASH}\n`).join('') }
}

/** All that are measured; the first asks nobody, for comparison. */
export function doors(write: (path: string, text: string) => void): readonly Door[] {
  const file = (users: readonly string[], folder: string): readonly string[] => {
    const { path, text } = passwordFile(users, folder)
    write(path, text)
    return [`AuthUserFile "${path}"`]
  }
  return [
    {
      name: 'no login',
      missing: null,
      modules: [],
      lines: ['Require all granted'],
      arrange: async () => NOTHING,
      login: byBasic,
    },
    {
      name: 'Basic, LDAP',
      missing: hasSlapd() ? null : 'slapd',
      modules: [authBasic, ldap, authnzLdap],
      lines: [...BASIC, 'AuthBasicProvider ldap'],
      async arrange(users, _folder, end) {
        const directory = await slapd({ ldif: users.map(person).join('\n') })
        end(() => directory.close())
        const url = `AuthLDAPURL ldap://127.0.0.1:${directory.port}/dc=example,dc=org?uid`
        return { server: ['LDAPCacheEntries 8192'], section: [url] }
      },
      login: byBasic,
    },
    {
      name: 'Basic, SQLite',
      missing: null,
      modules: [authBasic, dbd, authnDbd],
      lines: [...BASIC, 'AuthBasicProvider dbd', 'AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"'],
      async arrange(users, folder) {
        const path = join(folder, 'users.db')
        const database = new DatabaseSync(path)
        database.exec('CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT); BEGIN')
        const insert = database.prepare('INSERT INTO users VALUES(?, ?)')
        for (const user of users) insert.run(user, HASH)
        database.exec('COMMIT')
        database.close()
        return { server: ['DBDriver sqlite3', `DBDParams "${path}"`], section: [] }
      },
      login: byBasic,
    },
    {
      name: 'Basic, file, Redis',
      missing: hasRedis() ? null : 'redis-server',
      modules: [authBasic, authnFile, authnSocache, socacheRedis],
      lines: [...BASIC, 'AuthBasicProvider socache file', 'AuthnCacheProvideFor file'],
      async arrange(users, folder, end) {
        const store = await redisStore()
        end(() => store.close())
        return { server: [`AuthnCacheSOCache redis:${store.address}`], section: file(users, folder) }
      },
      login: byBasic,
    },
    {
      name: 'form, encrypted session',
      missing: null,
      modules: [authForm, authnFile, request, session, sessionCookie, sessionCrypto],
      lines: ['AuthType form', 'AuthName x', 'Require valid-user', 'Session On', 'SessionCookieName s path=/'],
      async arrange(users, folder) {
        return { server: [], section: ['SessionCryptoPassphrase "a secret of the server"', ...file(users, folder)] }
      },
      login: byForm,
    },
  ]
}

function person(uid: string): string {
  return `dn: uid=${uid},dc=example,dc=org\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\nuserPassword: ${PASSWORD}\n`
}
