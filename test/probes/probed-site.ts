import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { NEXT } from './conversation.ts'
import { ALPHABET } from './message.ts'

/** The user `probe` with the password `probe`, as htpasswd -s writes it. */
const PASSWORD_LINE = 'probe:{SHA}qUnFMHEPn8p2tFd2Jnxoln+okec=\n'

const FILES: Readonly<Record<string, string>> = {
  'docs/letters.txt': ALPHABET,
  [`docs${NEXT.path}`]: NEXT.content,
  'docs/smuggled.txt': 'smuggled\n',
  'docs/empty.txt': '',
  'docs/future.txt': 'not yet\n',
  'docs/site.txt': 'main\n',
  'docs/folder/page.txt': 'page\n',
  'docs/private/letters.txt': ALPHABET,
  'other/site.txt': 'other\n',
  users: PASSWORD_LINE,
}

/** Long enough ago for dates to be strong validators. */
const CREATED = new Date('2024-01-02T03:04:05Z')
const FUTURE = new Date('2040-01-02T03:04:05Z')

/** The files that every server serves, and a folder for each server. */
export interface ProbedSite {
  readonly root: string
  readonly docs: string
  readonly other: string
  /** Names and passwords for the folder /private. */
  readonly users: string
  remove(): void
}

export function probedSite(): ProbedSite {
  const root = mkdtempSync(join(tmpdir(), 'gatewright-probes-'))
  // Servers run as users that own nothing here.
  chmodSync(root, 0o755)
  for (const [name, content] of Object.entries(FILES)) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    const time = name === 'docs/future.txt' ? FUTURE : CREATED
    utimesSync(path, time, time)
  }
  return {
    root,
    docs: join(root, 'docs'),
    other: join(root, 'other'),
    users: join(root, 'users'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
