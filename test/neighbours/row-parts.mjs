export const MIB = 1024 * 1024

/** The results of `make` for 0 up to, but not including, `count`. */
export function lines(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}

export function repeated(count, line) {
  return Array.from({ length: count }, () => line)
}

/** @param {() => { files?: object, sizes?: object, server?: string[], request?: object }} make called when the row is measured: some parts are large */
export function row(name, title, make) {
  const whole = () => {
    const { files = {}, sizes = {}, server = [], request = {} } = make()
    return { files, sizes, server, request: { path: '/tenant/b.txt', method: 'GET', headers: {}, ...request } }
  }
  return { name, title, make: whole }
}

/** The parts of a row that consists only of a .htaccess file. */
export function htaccess(content, request = {}) {
  return { files: { '.htaccess': content }, request }
}
