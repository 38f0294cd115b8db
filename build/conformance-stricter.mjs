/**
 * Recorded answers that this server gives differently on purpose, because giving them would be a weakness: by case, the
 * index of the request, and each field that differs, with its value here. The manual page of the module states each of
 * these differences. All other answers of these cases must be the recorded ones.
 */
export const STRICTER = {
  // RFC 9112, section 6.3: a proxy must respond with 502 to Content-Length fields that differ.
  'proxy/broken-responses': {
    25: {
      line: 'HTTP/1.1 502 Bad Gateway',
      'header content-length': null,
      'header content-type': 'text/html; charset=iso-8859-1',
      body: '(built-in page: 502 Bad Gateway)',
      access: ['127.0.0.1 - - "GET /length-differ HTTP/1.1" 502 N'],
      error: ['[proxy_http:error] [client 127.0.0.1] AH01110: error reading response'],
    },
  },
  // httpd sends the next response where the client expects the rest of a body that broke off.
  'proxy/fcgi-answers': {
    66: { closed: true, access: ['127.0.0.1 - - "GET /early-close.php HTTP/1.1" 200 4'] },
  },
}

/**
 * The failures of these cases in a run's report (`run.mjs --json`) that are not differences on purpose. An answer that is
 * listed but is the recorded one, and a case that was not run, are failures too.
 */
export function failuresBesideStricter(report, stricter = STRICTER) {
  return Object.entries(stricter).flatMap(([name, probes]) => {
    const ran = report.cases.find((one) => one.case === name)
    if (ran === undefined) return [{ case: name, error: 'was not run' }]
    const unexpected = ran.failures.filter(({ index, differences }) => !isAsListed(differences, probes[index]))
    const missing = Object.keys(probes).filter((index) => !ran.failures.some((failure) => failure.index === Number(index)))
    return [
      ...unexpected.map((failure) => ({ case: name, ...failure })),
      ...missing.map((index) => ({ case: name, index: Number(index), error: 'is listed as different, but is as recorded' })),
    ]
  })
}

function isAsListed(differences, listed) {
  if (differences === undefined || listed === undefined) return false
  const here = Object.fromEntries(differences.map(([field, , got]) => [field, got ?? null]))
  const fields = Object.keys(listed)
  return (
    Object.keys(here).length === fields.length &&
    fields.every((field) => JSON.stringify(here[field]) === JSON.stringify(listed[field]))
  )
}
