import { writeFileSync } from 'node:fs'
import { FileSource, TextSource } from '@gatewright/core'
import { PolicyServer, type Variant } from '@gatewright/policy'
import { INSTALLATION } from './installation.ts'
import type { FilesToMigrate } from './migrate-files.ts'

/**
 * Loads the files of a configuration with the texts of a variant.
 * @param hostsFile file for the assumed host names
 * @throws ConfigError
 */
export function openVariant(
  { serverRoot, configFile, modules }: FilesToMigrate,
  defines: readonly string[],
  { texts, folders, after, hosts = '', logins = 'known' }: Variant,
  hostsFile: string,
): Promise<PolicyServer> {
  writeFileSync(hostsFile, hosts)
  return PolicyServer.open({
    ...INSTALLATION,
    serverRoot,
    configFile,
    defines,
    before: modules,
    after: [...after, ...WITHOUT_FILES],
    source: new TextSource(texts, new FileSource()),
    skipDocumentRootCheck: true,
    assumed: { folders, accessFiles: texts },
    // No name server is queried: the proof defines the names.
    names: { hostsFile, servers: ['127.0.0.1:9'], patience: 50 },
    logins,
  })
}

/** Logs and file types do not affect access, and their files may be missing on this machine. */
const WITHOUT_FILES = ['ErrorLog /dev/null', '<IfModule mod_mime.c>', 'TypesConfig /dev/null', '</IfModule>']
