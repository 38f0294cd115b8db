// Configuration as a tree: a node is a line, or a section with nodes inside. So a policy can be cut smaller and still be written out.

/** A section: `<name argument>`, its nodes, `</name>`. */
export function section(name, argument, body) {
  return { name, argument, body }
}

/** The nodes as lines of a configuration file. */
export function toLines(nodes, depth = 0) {
  const indent = '  '.repeat(depth)
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return [indent + node]
    const open = node.argument === '' ? `<${node.name}>` : `<${node.name} ${node.argument}>`
    return [indent + open, ...toLines(node.body, depth + 1), `${indent}</${node.name}>`]
  })
}

/** The number of directives in the nodes, including sections. */
export function count(nodes) {
  return nodes.reduce((sum, node) => sum + 1 + (typeof node === 'string' ? 0 : count(node.body)), 0)
}

/** Every list of nodes that comes of one cut: half of a list, one node, the sections around nodes, or words at the end of a line left out. */
export function* smaller(nodes) {
  if (nodes.length > 3) {
    const half = nodes.length >> 1
    yield nodes.slice(0, half)
    yield nodes.slice(half)
  }
  for (const [index, node] of nodes.entries()) {
    const replaced = (...by) => [...nodes.slice(0, index), ...by, ...nodes.slice(index + 1)]
    yield replaced()
    if (typeof node === 'string') {
      const words = node.split(' ')
      if (words.length > 3) yield replaced(words.slice(0, -1).join(' '))
      if (words.length > 3) yield replaced([...words.slice(0, -2), words.at(-1)].join(' '))
      continue
    }
    yield replaced(...node.body)
    for (const body of smaller(node.body)) yield replaced({ ...node, body })
  }
}
