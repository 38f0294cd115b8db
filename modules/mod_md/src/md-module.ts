import { DECLINED, defineModule, type Module, processOwner, type Request } from '@gatewright/api'
import {
  addCertificateFiles,
  addFallbackCertificateFiles,
  answerChallenge,
  connectionTls,
  extendStatus,
  wantsStapling,
} from '@gatewright/api/peers'
import { answerHttpChallenge } from './answers/http-challenge.ts'
import { requireHttps } from './answers/require-https.ts'
import { statusSection } from './answers/server-status.ts'
import { answerCertificateStatus, answerStatus, CERTIFICATE_STATUS } from './answers/status.ts'
import { ACME_TLS, challengeCertificate } from './answers/tls-challenge.ts'
import { directives } from './directives/index.ts'
import { DomainsRefused } from './domains/checks.ts'
import { Registry } from './domains/registry.ts'
import { Driver } from './drive/driver.ts'
import { reachOf } from './drive/reach.ts'
import { createSettings, type MdSettings, mergeSettings } from './settings.ts'
import { workerOwner } from './worker-owner.ts'

/** mod_md. */
export function mdModule(): Module<undefined, MdSettings> {
  return defineModule<undefined, MdSettings>({
    name: 'md_module',
    source: 'mod_md.c',
    capabilities: ['child-process', 'fs', 'net'],
    perServer: { create: createSettings, merge: mergeSettings },
    directives,
    register(host) {
      const { hooks, functions, optionalHooks, providers, services, log } = host
      let registry: Registry | null = null
      let serverRelative = (path: string): string => path

      hooks.postConfig.add(
        (start) => {
          serverRelative = start.serverRelative
          try {
            const owner = functions.get(processOwner)?.()
            registry = new Registry(host, start, owner === undefined ? null : workerOwner(owner))
            return undefined
          } catch (error) {
            if (error instanceof DomainsRefused) return ''
            const reason = error instanceof Error ? error.message : String(error)
            log.write(null, 'error', 'AH10046', `setup store: ${reason}`)
            return ''
          }
        },
        { rank: 'first', before: ['mod_ssl.c'] },
      )
      hooks.postConfig.add(
        async () => {
          try {
            registry?.complete()
            await registry?.announceInstalled()
            return undefined
          } catch (error) {
            if (error instanceof DomainsRefused) return ''
            throw error
          }
        },
        { rank: 'last', after: ['mod_ssl.c'] },
      )
      optionalHooks.add(addCertificateFiles, (server) => registry?.certificateFiles(server) ?? null)
      optionalHooks.add(addFallbackCertificateFiles, (server) => registry?.fallbackFiles(server) ?? null)
      optionalHooks.add(wantsStapling, (server) => registry?.wantsStapling(server) === true)
      optionalHooks.add(answerChallenge, (connection, protocol, serverName) =>
        challengeCertificate(connection, protocol, serverName, registry, log),
      )
      providers.protocols.add(ACME_TLS, {
        // The handshake was the answer.
        speak: ({ stream }) => stream.end(),
      })

      const isSecured = ({ connection }: Request): boolean => {
        const view = functions.get(connectionTls)?.(connection)
        return view !== undefined && view !== null
      }
      hooks.postReadRequest.add(
        (request) => {
          if (registry === null || registry.domains.length === 0) return DECLINED
          const demand = requireHttps(request, registry, isSecured)
          if (demand !== DECLINED) return demand
          const challenge = answerHttpChallenge(request, registry, log)
          return challenge === DECLINED ? answerCertificateStatus(request, registry) : challenge
        },
        { after: ['mod_ssl.c'] },
      )
      // A host without a certificate answers everything else with 503.
      hooks.postReadRequest.add(
        (request) =>
          registry !== null &&
          request.uri === CERTIFICATE_STATUS &&
          isSecured(request) &&
          registry.byName(request.hostname)?.certificates.every(isMissing) === true
            ? answerCertificateStatus(request, registry)
            : DECLINED,
        { before: ['mod_ssl.c'] },
      )
      hooks.handler.add((request) => answerStatus(request, registry))
      optionalHooks.add(extendStatus, (_request, form) => (registry === null ? '' : statusSection(registry, form, Date.now())))

      services.inOneProcess(() => {
        if (registry === null) return () => undefined
        const current = registry
        const driver = new Driver(
          { registry: current, log, reachOf: (url, md) => reachOf(url, md, current.process, serverRelative) },
          services,
        )
        return driver.start()
      })
    },
  })
}

function isMissing(certificate: unknown): boolean {
  return certificate === undefined
}
