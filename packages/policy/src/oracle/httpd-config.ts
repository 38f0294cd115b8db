import { type ConfigNode, nextWord, openingArgument, splitWords } from '@gatewright/config'
import type { BoundConfiguration } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'
import type { OtherRoot } from './other-root.ts'
import { REPLAYED_CORE, REPLAYED_MODULES } from './replayed-directives.ts'

/** The paths for httpd. */
export interface HttpdPlaces {
  readonly root: OtherRoot
  /** The address and port that replace those of the configuration. */
  address(address: string): string
  port(port: number): number
  /** All users that authenticate. */
  readonly usersFile: string
}

/**
 * The part of a configuration that decides about access, in a form for httpd: one file without includes,
 * macros, variables and guards, with all paths below another root. Handlers, logs, proxies and programs are
 * omitted: a granted request finds nothing.
 */
export function httpdConfig(server: PolicyServer, places: HttpdPlaces): string {
  return new Printer(server.configuration, places).print(server.configuration.lines)
}

class Printer {
  readonly #configuration: BoundConfiguration
  readonly #places: HttpdPlaces
  /** Number of printed virtual hosts, which come in the order of the file. */
  #hosts = 0

  constructor(configuration: BoundConfiguration, places: HttpdPlaces) {
    this.#configuration = configuration
    this.#places = places
  }

  print(nodes: readonly ConfigNode[]): string {
    return nodes.map((node) => this.#node(node)).join('')
  }

  #node(node: ConfigNode): string {
    if (!this.#isReplayed(node)) return ''
    if (node.children === null) {
      const text = this.#directive(node)
      return text === null ? '' : `${node.name} ${text}\n`
    }
    const name = node.name.slice(1)
    const opening = openingArgument(node.name, node.text)
    const argument = 'error' in opening ? '' : this.#argument(name.toLowerCase(), opening.argument)
    return `<${name}${argument === '' ? '' : ` ${argument}`}>\n${this.print(node.children)}</${name}>\n`
  }

  #isReplayed({ name }: ConfigNode): boolean {
    const [owner] = this.#configuration.modulesOf(name)
    if (owner === undefined) return false
    return owner.shortName === 'core' ? REPLAYED_CORE.has(name.toLowerCase()) : REPLAYED_MODULES.has(owner.shortName)
  }

  #argument(name: string, argument: string): string {
    const { root, address, port } = this.#places
    switch (name) {
      case 'directory':
        return root.directory(argument)
      case 'directorymatch':
        return `"${root.pattern(nextWord(argument).word)}"`
      case 'virtualhost': {
        const host = this.#configuration.virtualHosts[this.#hosts++]
        const places = host.addresses.map((one) => `${hostText(one.address, address)}:${one.port === 0 ? '*' : port(one.port)}`)
        return places.join(' ')
      }
      default:
        return argument
    }
  }

  /** The text after the name; null if the line is omitted. */
  #directive({ name, text }: ConfigNode): string | null {
    const { root, usersFile } = this.#places
    const configuration = this.#configuration
    const words = splitWords(text)
    const moved = (path: string): string => `"${root.path(configuration.serverRelative(path))}"`
    switch (name.toLowerCase()) {
      case 'documentroot':
        return moved(words[0] ?? '')
      case 'alias':
        return words.length === 1 ? moved(words[0]) : `"${words[0]}" ${moved(words[1] ?? '')}`
      case 'aliasmatch':
        return words.length < 2 ? null : `"${words[0]}" ${moved(words[1])}`
      case 'scriptalias':
      case 'scriptaliasmatch':
        return null
      case 'authuserfile':
        return `"${usersFile}"`
      case 'authbasicprovider':
        return 'file'
      case 'authgroupfile':
      case 'authdbmgroupfile':
        return `"${configuration.serverRelative(words[0] ?? '')}"`
      case 'rewritemap':
        return words[1]?.startsWith('prg:') === true ? null : text
      case 'servername':
        return (words[0] ?? '').replace(/:\d+$/, '')
      case 'allowoverride':
        return words.some((word) => /^(?:none|nonfatal)/i.test(word)) ? text : `${text} Nonfatal=Unknown`
      case 'accesscompatprecedence':
        return null
      default:
        return text
    }
  }
}

function hostText(address: string, mapped: (address: string) => string): string {
  return address === '*' ? '*' : mapped(address)
}
