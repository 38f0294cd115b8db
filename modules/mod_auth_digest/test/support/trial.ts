import type { AnyModule } from '@gatewright/api'
import { type FileTree, type InjectedResponse, type InjectOptions, site, type TestServer } from '@gatewright/testing'
import type { Test } from 'tap'
import authnCore from '../../../mod_authn_core/src/index.ts'
import authnFile from '../../../mod_authn_file/src/index.ts'
import authzCore from '../../../mod_authz_core/src/index.ts'
import authzUser from '../../../mod_authz_user/src/index.ts'
import dir from '../../../mod_dir/src/index.ts'
import setenvif from '../../../mod_setenvif/src/index.ts'
import authDigest from '../../src/index.ts'
import { authorization, type Challenge, type Claim, challengeOf, md5 } from './client.ts'

const MODULES: readonly AnyModule[] = [authnCore, authnFile, authzCore, authzUser, dir, setenvif, authDigest]

/** A line of a password file. */
export const user = (name: string, realm = 'R', password = 'pw'): string =>
  `${name}:${realm}:${md5(`${name}:${realm}:${password}`)}`

export const USERS: readonly string[] = [user('bob'), user('alice', 'R', 'pw2'), user('b\xe9'), user('q"u'), user('')]

/** The parts of a response that concern this module. */
export interface Answer {
  readonly status: number
  /** Field values; undefined if absent. */
  readonly challenge: string | undefined
  readonly info: string | undefined
  /** Log lines since the previous request, without time and process. */
  readonly log: readonly string[]
}

/** A server with protected locations. */
export class Trial {
  readonly #server: TestServer
  #read = 0

  private constructor(server: TestServer) {
    this.#server = server
  }

  /** @param places lines of sections by path; without a Require line they grant access to all valid users */
  static async start(
    t: Test,
    places: Readonly<Record<string, string>>,
    files: FileTree = {},
    more = '',
    modules: readonly AnyModule[] = MODULES,
  ): Promise<Trial> {
    const sections = Object.entries(places).map(([path, lines]) => {
      const passwords = modules.includes(authnFile) ? 'AuthUserFile conf/users' : ''
      const whom = lines.includes('Require ') ? '' : 'Require valid-user'
      return `<Location "${path}">\nAuthType Digest\nAuthName R\n${passwords}\n${whom}\n${lines}\n</Location>`
    })
    const config = `LogLevel info\n${more}\n${sections.join('\n')}`
    const tree = { 'conf/users': Buffer.from(`${USERS.join('\n')}\n`, 'latin1'), 'docs/a/f': 'f', ...files }
    const server = await site({ modules, config, files: tree })
    t.teardown(() => server.close())
    return new Trial(server)
  }

  async ask(target: string, header?: string, more: Partial<InjectOptions> = {}): Promise<Answer> {
    const headers = { ...more.headers, ...(header === undefined ? {} : { Authorization: header }) }
    const answer = await this.response({ ...more, target, headers })
    const log = this.#server.errors().slice(this.#read)
    this.#read += log.length
    return {
      status: answer.status,
      challenge: answer.header('WWW-Authenticate'),
      info: answer.header('Authentication-Info'),
      log: log.map((line) => line.replace(/^\[[^\]]*\] /, '').replace(/\[(?:pid|client) [^\]]*\] /g, '')),
    }
  }

  response(options: InjectOptions): Promise<InjectedResponse> {
    return this.#server.inject(options)
  }

  async challenge(target: string): Promise<Challenge> {
    return challengeOf((await this.ask(target)).challenge)
  }

  /** Sends a request with the fields of a claim and a new nonce. */
  async claim(
    target: string,
    claim: Partial<Claim> = {},
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<Answer> {
    const { nonce, opaque } = await this.challenge(target)
    return this.ask(target, authorization({ uri: target, nonce, opaque, ...claim }, changes), { method: claim.method })
  }
}
