// Many policies in one configuration: the text, and which policy each line belongs to.
import { section, toLines } from './tree.mjs'

/** The lines of one policy in the configuration file, with its name. */
function own(policy, name) {
  const sections = policy.main
  const main = policy.virtualHost ? [section('VirtualHost', '*:@PORT@', [`ServerName ${name}.example`, ...sections])] : sections
  return { prelude: named(toLines(policy.prelude), name), main: named(toLines(main), name) }
}

/** The configuration of a batch: `{ lines, owners }`, where owners[i] is the index of the policy that line i belongs to, or -1. */
export function configuration(head, policies) {
  const lines = [...head]
  const owners = head.map(() => -1)
  const add = (index, added) => {
    lines.push(...added)
    owners.push(...added.map(() => index))
  }
  const parts = policies.map((policy, index) => own(policy, policyName(index)))
  for (const [index, { prelude }] of parts.entries()) add(index, prelude)
  // The first virtual host of an address answers for all names that no other one has.
  if (policies.some(({ virtualHost }) => virtualHost))
    add(-1, ['<VirtualHost *:@PORT@>', '  ServerName localhost', '</VirtualHost>'])
  for (const [index, { main }] of parts.entries()) add(index, main)
  return { lines, owners }
}

/** Texts of a policy's files by path below the document root. */
export function policyFiles(policy, index) {
  const name = policyName(index)
  const files = {}
  for (const folder of ['', '/a', '/a/b']) {
    files[`${name}${folder}/f.txt`] = `f.txt in ${folder}\n`
    files[`${name}${folder}/one.html`] = `one.html in ${folder}\n`
  }
  for (const [folder, nodes] of Object.entries(policy.htaccess)) {
    files[`${folder.replaceAll('@P@', name)}/.htaccess`] = `${named(toLines(nodes), name).join('\n')}\n`
  }
  return files
}

/** The requests of a policy as they are sent. */
export function policyRequests(policy, index) {
  const name = policyName(index)
  return policy.requests.map((request) => ({
    ...request,
    target: request.target.replaceAll('@P@', name),
    headers: { ...request.headers, ...(policy.virtualHost && { Host: `${name}.example` }) },
  }))
}

export function policyName(index) {
  return `p${String(index).padStart(4, '0')}`
}

function named(lines, name) {
  return lines.map((line) => line.replaceAll('@P@', name))
}
