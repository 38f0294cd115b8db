import { request } from 'node:http'
import type { StagedServer } from '../fixtures/staged-server.ts'

const SESSION = ['Session On', 'SessionCookieName session path=/', 'SessionCryptoPassphrase a-passphrase-of-all-machines']

/** `/form` is for those with a session, which a form posted to `/login` makes. @param lines how logins are verified */
export function formLines(...lines: readonly string[]): readonly string[] {
  const both = ['AuthType form', 'AuthName members', ...SESSION, ...lines]
  return [
    '<Location /form>',
    ...both,
    'Require valid-user',
    '</Location>',
    '<Location /login>',
    'SetHandler form-login-handler',
    ...both,
    'AuthFormLoginSuccessLocation /form',
    'Require all granted',
    '</Location>',
  ]
}

/** Logs in by the form. @returns the cookie @throws if the server sends none */
export async function sessionCookie({ port }: StagedServer, user: string, password: string): Promise<string> {
  const body = `httpd_username=${user}&httpd_password=${password}`
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }
  const cookies = await new Promise<readonly string[]>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/login', method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.headers['set-cookie'] ?? []))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
  const [cookie] = cookies.filter((text) => text.startsWith('session='))
  if (cookie === undefined) throw new Error(`no session in ${JSON.stringify(cookies)}`)
  return cookie.split(';', 1)[0]
}
