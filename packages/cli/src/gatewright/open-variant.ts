import { writeFileSync } from 'node:fs'
import { FileSource, TextSource } from '@gatewright/core'
import { PolicyServer, type Variant } from '@gatewright/policy'
import { INSTALLATION } from './installation.ts'
import type { FilesToMigrate } from './migrate-files.ts'

/** Loads the files of a configuration with the texts that they have in a variant. @param hostsFile where to write who has which name @throws ConfigError */
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
    // Nobody is asked: names are those of the proof.
    names: { hostsFile, servers: ['127.0.0.1:9'], patience: 50 },
    logins,
  })
}

/** Logs and types of files decide nothing about access, and their files may not be on this machine. */
const WITHOUT_FILES = ['ErrorLog /dev/null', '<IfModule mod_mime.c>', 'TypesConfig /dev/null', '</IfModule>']
