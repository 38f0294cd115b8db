import { realpathSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { readText } from '../start/files.ts'
import { privateKeyIn } from '../start/pem.ts'
import { type LintedPair, securedHosts } from './secured-hosts.ts'

/** Bits of a mode for one class of users: group is shifted by 3. */
const READ = 4
const WRITE = 2
const SEARCH = 1
/** Groups that exist for reading keys: that of Debian, and that of root. */
const KEY_GROUPS: ReadonlySet<string> = new Set(['ssl-cert', 'root', 'wheel'])

/** A private key that other users of the machine can read or replace. */
export function readableKeys(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a private key that other users of the machine can read or replace',
    severity: 'error',
    find: (configuration) =>
      securedHosts(host, configuration).flatMap(({ pairs }) => pairs.flatMap((pair) => findingIn(pair, host.services.groupName))),
  }
}

type NameOfGroup = (gid: number) => string | null

function findingIn({ keyFile, keyPlace }: LintedPair, groupName: NameOfGroup): readonly LintFinding[] {
  const path = realPath(keyFile)
  // A file without a key is a certificate, which everybody may read.
  if (path === null || !hasKey(keyFile)) return []
  const trail = trailTo(path)
  const [file] = trail
  if (file === undefined) return []
  const ways = { others: reach(trail, 0), group: reach(trail, 3) }
  const group = groupName(file.gid) ?? `#${file.gid}`
  const message = (who: string, what: string): string => `private key ${keyFile} can be ${what} by ${who}`
  const finding = (text: string, hint: string, severity: 'error' | 'warning'): readonly LintFinding[] => [
    { ...keyPlace, message: text, hint, severity },
  ]
  if (ways.others !== null) {
    const text = message('every user of this machine', ways.others)
    return finding(text, `chmod 600 ${path}, and get a new key and certificate if others may have used this`, 'error')
  }
  if (ways.group === null || KEY_GROUPS.has(group)) return []
  return finding(
    message(`the group ${group}`, ways.group),
    `chmod 600 ${path}, or give it to a group for keys (ssl-cert)`,
    'warning',
  )
}

/** Parts of a file name that are no links. */
function realPath(file: string): string | null {
  try {
    return realpathSync.native(Buffer.from(file, 'latin1'), 'latin1')
  } catch {
    return null
  }
}

/** Encrypted keys count: their pass phrase can be tried at leisure. */
function hasKey(file: string): boolean {
  const text = readText(file)
  return text === '' ? false : privateKeyIn(text) !== undefined || !text.includes('-----BEGIN ')
}

/** The file and the folders above it; none where one cannot be examined. */
function trailTo(path: string): readonly Stats[] {
  const trail: Stats[] = []
  for (let at = path; ; at = dirname(at)) {
    const found = statSync(Buffer.from(at, 'latin1'), { throwIfNoEntry: false })
    if (found === undefined) return []
    trail.push(found)
    if (at === dirname(at)) return trail
  }
}

/**
 * What a class of users can do with a file, null for nothing. Each folder has to let them through: for the group, by
 * the bits of the group where it is the same one, and else by those of all others.
 */
function reach([file, ...folders]: readonly Stats[], shift: 0 | 3): string | null {
  const isOpen = folders.every(({ mode, gid }) => ((mode >> (shift === 3 && gid === file.gid ? 3 : 0)) & SEARCH) !== 0)
  if (!isOpen) return null
  const bits = file.mode >> shift
  if ((bits & WRITE) !== 0) return (bits & READ) !== 0 ? 'read and replaced' : 'replaced'
  return (bits & READ) !== 0 ? 'read' : null
}
