const NAME = 17

/** The line above those of {@link rowLine}. */
export function heading(servers) {
  const columns = servers.map((server) => server.padStart(10) + 'answer'.padStart(20) + 'MiB'.padStart(7))
  return `${'longest wait, ms'.padEnd(NAME)}${columns.join('')}  row`
}

/** The figures of one row for people: for each server the other client's longest wait, the expensive answer with its time, and how much memory it took. */
export function rowLine({ name, title, servers, red }) {
  const columns = Object.values(servers).map(
    (figures) =>
      `${figures.longestMilliseconds.toFixed(0)}${figures.cutOff > 0 ? '!' : ''}`.padStart(10) +
      answer(figures).padStart(20) +
      figures.mebibytes.toFixed(0).padStart(7),
  )
  return `${`${name}${red ? ' *' : ''}`.padEnd(NAME)}${columns.join('')}  ${title}`
}

/** The text after the rows. */
export function summary(results, limit) {
  const red = results.filter((result) => result.red).map(({ name }) => name)
  const notes = results.some(({ servers }) => Object.values(servers).some(({ cutOff }) => cutOff > 0))
    ? ['!  the other client was cut off meanwhile; the time counts until it was answered']
    : []
  if (red.length > 0) notes.push(`*  above ${limit} ms: ${red.join(', ')}`)
  return [...notes, `${results.length - red.length} of ${results.length} rows within ${limit} ms`].join('\n')
}

function answer({ status, error, milliseconds }) {
  const seconds = `${(milliseconds / 1000).toFixed(2)} s`
  return error === undefined
    ? `${status} in ${seconds}`
    : `${status === null ? '' : `${status} `}${error === 'cut off' ? 'cut off' : 'none'} ${seconds}`
}
