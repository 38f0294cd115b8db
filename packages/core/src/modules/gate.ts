import { createHash } from 'node:crypto'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { type ModuleStamp, parseStamp, STAMP_PREFIX } from '@gatewright/api/stamp'
import patch from 'semver/functions/patch.js'
import satisfies from 'semver/functions/satisfies.js'
import valid from 'semver/functions/valid.js'
import { stamplessHint } from './stampless.ts'

/** The gate's decision about a module's file. */
export type GateVerdict =
  | { readonly admitted: true; readonly stamp: ModuleStamp }
  | { readonly admitted: false; readonly message: string; readonly hint: string }

const REBUILD = 'rebuild it against this server (apxs -c); UPGRADING.md lists what changed for modules'

/** Bytes of a first line that may be a stamp. */
const LONGEST_STAMP = 64 * 1024

/**
 * Decides from a module file's bytes alone, before any of its code is executed, whether it may be loaded.
 * @param name the identifier in the LoadModule line
 * @param written path as written in the LoadModule line, for the message
 * @param path resolved path
 */
export function decideModule(name: string, written: string, path: string, bytes: Buffer): GateVerdict {
  const refuse = (message: string, hint: string): GateVerdict => ({ admitted: false, message, hint })
  if (bytes.length === 0)
    return refuse(`Cannot load ${written} into server: ${path}: file too short`, 'the file is empty: build or copy it again')
  const lineEnd = bytes.indexOf(10)
  const stamp = lineEnd < 0 || lineEnd > LONGEST_STAMP ? undefined : parseStamp(bytes.toString('latin1', 0, lineEnd))
  if (stamp === undefined) {
    return refuse(
      `Cannot load ${written} into server: ${path}: invalid module file, its first line is not a stamp`,
      stamplessHint(bytes),
    )
  }
  if (stamp.cookie !== MODULE_MAGIC_COOKIE) {
    return refuse(
      `API module structure '${name}' in file ${path} is garbled - expected signature ${signature(MODULE_MAGIC_COOKIE)} but saw ${signature(stamp.cookie)}` +
        ' - perhaps this is not an Apache module DSO, or was compiled for a different Apache version?',
      `mod_${name.replace(/_module$/, '')} was built for the ${line(stamp.api)} module API, this server provides ${line(API_VERSION)}: ${REBUILD}`,
    )
  }
  const digest = createHash('sha256')
    .update(bytes.subarray(lineEnd + 1))
    .digest('hex')
  if (digest !== stamp.digest) {
    return refuse(
      `Cannot load ${written} into server: ${path}: the file does not match the digest in its stamp`,
      bytes.includes(`\n${STAMP_PREFIX}`, lineEnd)
        ? 'the file contains a second stamp, as if it was stamped twice or two files were joined: build or copy it again'
        : 'the file was truncated or edited after the build: build or copy it again',
    )
  }
  if (stamp.magic !== MODULE_MAGIC_NUMBER_MAJOR) {
    return refuse(notCompatible(stamp, `${stamp.magic}`, `${MODULE_MAGIC_NUMBER_MAJOR}`), REBUILD)
  }
  if (!satisfiesHost(stamp.api)) {
    const found = `${stamp.magic}:${valid(stamp.api) === null ? stamp.api : patch(stamp.api)}`
    const need = `${MODULE_MAGIC_NUMBER_MAJOR}:${patch(API_VERSION)}`
    return refuse(
      notCompatible(stamp, found, need),
      `it was built against API ${stamp.api}, this server provides ${API_VERSION}: rebuild it here, or install a server that provides API ${stamp.api}`,
    )
  }
  if (stamp.module !== name) {
    return refuse(
      `Can't locate API module structure \`${name}' in file ${path}: ${path}: undefined symbol: ${name}`,
      `the file holds ${stamp.module}: LoadModule ${stamp.module} ${written}`,
    )
  }
  return { admitted: true, stamp }
}

/** The line is the same, and the host is not older than the version that the module was built against. */
function satisfiesHost(built: string): boolean {
  return valid(built) !== null && satisfies(API_VERSION, `~${built}`, { includePrerelease: true })
}

function notCompatible(stamp: ModuleStamp, found: string, need: string): string {
  return `Module "${stamp.source}" is not compatible with this version of Apache (found ${found}, need ${need}). Please contact the vendor for the correct version.`
}

/** The cookie as printed by httpd: its four characters in hexadecimal. */
function signature(cookie: string): string {
  return Buffer.from(cookie.padEnd(4, '\0').slice(0, 4), 'latin1').toString('hex')
}

function line(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}
