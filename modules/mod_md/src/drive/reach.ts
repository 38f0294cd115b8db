import { readFileSync } from 'node:fs'
import type { ManagedDomain } from '../domains/managed-domain.ts'
import type { ProcessSettings } from '../settings.ts'
import type { Reach } from './messages.ts'

/** How a CA is reached for a domain: its own settings, or those for all. @throws the system's error for a file */
export function reachOf(
  directory: string,
  md: ManagedDomain,
  settings: Readonly<ProcessSettings>,
  serverRelative: (path: string) => string,
): Reach {
  const file = (path: string | undefined): string | undefined =>
    path === undefined || path.toLowerCase() === 'none' ? undefined : readFileSync(serverRelative(path), 'utf8')
  const authorities = file(md.caFile ?? settings.caFile)
  const proxyUrl = md.proxyUrl ?? settings.proxyUrl
  const proxyAuthorities = file(md.proxyCaFile ?? settings.proxyCaFile)
  return {
    directory,
    ...(authorities !== undefined && { authorities }),
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(proxyAuthorities !== undefined && { proxyAuthorities }),
  }
}
