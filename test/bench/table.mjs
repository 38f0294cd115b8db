const WIDTH = 24

/**
 * The figures of one scenario for people.
 * @param {Awaited<ReturnType<typeof import('./measure.mjs').measure>>} result
 */
export function scenarioTable({ name, title, connections, servers, ratios, baseline }) {
  const rows = [
    line('', ['requests/s', 'spread', 'CPU µs', 'core', 'others', 'p50 ms', 'p99 ms', 'MiB']),
    ...Object.entries(servers).map(([server, figures]) => serverLine(server, figures)),
    ...Object.entries(baseline?.servers ?? {}).map(([server, figures]) => serverLine(`${server}, ${baseline.name}`, figures)),
    ...Object.entries(ratios).map(([server, ratio]) => ratioLine(`x ${server}`, ratio)),
    ...Object.entries(baseline?.ratios ?? {}).map(([server, ratio]) => ratioLine(`${server} x ${baseline.name}`, ratio)),
    ...Object.entries(servers).flatMap(([server, figures]) => brokenConnections(server, figures)),
  ]
  return `${name}: ${title} (${connections} connections)\n${rows.join('\n')}\n`
}

/** Our ratios to the others, a line for each scenario; undefined for a single scenario or server. */
export function summaryTable(results) {
  const others = [...new Set(results.flatMap(({ ratios }) => Object.keys(ratios)))]
  if (others.length === 0 || results.length === 1) return undefined
  const headings = others.flatMap((other) => [`x ${other}`, 'CPU'])
  const rows = results.map(({ name, ratios }) =>
    line(
      name,
      others.flatMap((other) => both(ratios[other])),
    ),
  )
  return [
    'summary: requests/s of gatewright, and its CPU time per request, divided by those of the others',
    line('', headings),
    ...rows,
    '',
  ].join('\n')
}

function serverLine(server, figures) {
  if (figures === null) return line(server, ['n/a'])
  return line(server, [
    Math.round(figures.requestsPerSecond).toLocaleString('en'),
    `${figures.spreadPercent.toFixed(0)} %`,
    figures.cpuMicroseconds.toFixed(1),
    `${figures.corePercent.toFixed(0)} %`,
    `${figures.othersPercent.toFixed(0)} %`,
    figures.p50Milliseconds.toFixed(2),
    figures.p99Milliseconds.toFixed(2),
    figures.memoryMebibytes.toFixed(0),
  ])
}

function ratioLine(label, ratio) {
  const [requests, cpu] = both(ratio)
  return line(label, [requests, '', cpu])
}

function both(ratio) {
  return ratio === undefined ? ['n/a', ''] : [ratio.requestsPerSecond.toFixed(2), ratio.cpuMicroseconds.toFixed(2)]
}

function brokenConnections(server, figures) {
  const count = figures?.socketErrors ?? 0
  return count === 0 ? [] : [`  note: ${server}: ${count} connections or requests broke or waited too long`]
}

function line(label, cells) {
  return `  ${label.padEnd(WIDTH)}${cells.map((cell) => cell.padStart(10)).join('')}`.trimEnd()
}
